/**
 * Who may call a route: `anyone`; a person who has `signed_in`; one whose roles have `operate` or `define` in access.yaml. What a
 * route shows of others is its own matter.
 */
export type Who = 'anyone' | 'signed_in' | 'operate' | 'define'

type Path = `/console/api/${string}`

/**
 * All routes of the console. A route that is not in this table cannot be served. Each change has the name that audit log and metrics
 * give it; null for sign-ins and sign-outs, which have names of their own.
 */
export const CONSOLE_ROUTES = {
  'GET /console/api/session': 'signed_in',
  'POST /console/api/session': ['anyone', null],
  'DELETE /console/api/session': ['anyone', null],

  'GET /console/api/runs': 'signed_in',
  'GET /console/api/runs/:id': 'signed_in',
  'GET /console/api/runs/:id/chart': 'signed_in',
  'GET /console/api/runs/:id/csv/:query': 'signed_in',
  'GET /console/api/runs/:id/queries/:query/sql': 'signed_in',
  'POST /console/api/runs/:id/queries/:query/run': ['signed_in', 'run_query'],
  'POST /console/api/runs/:id/propose': ['signed_in', 'propose_query'],
  'POST /console/api/runs/:id/feedback': ['signed_in', 'give_feedback'],
  'POST /console/api/runs/:id/retry': ['signed_in', 'retry_run'],

  'GET /console/api/subscriptions': 'signed_in',
  'GET /console/api/subscriptions/:id': 'signed_in',
  'POST /console/api/subscriptions/:id/pause': ['signed_in', 'pause_subscription'],
  'POST /console/api/subscriptions/:id/resume': ['signed_in', 'resume_subscription'],
  'POST /console/api/subscriptions/:id/run': ['signed_in', 'run_subscription'],
  'POST /console/api/subscriptions/:id/delete': ['signed_in', 'delete_subscription'],

  'GET /console/api/lineage/jobs': 'signed_in',
  'GET /console/api/lineage/jobs/:job/runs': 'signed_in',
  'GET /console/api/lineage/runs/:run/graph': 'signed_in',
  'GET /console/api/lineage/runs/:run/nodes/:node': 'signed_in',
  'GET /console/api/lineage/runs/:run/nodes/:node/why': 'signed_in',
  'GET /console/api/lineage/runs/:run/holders': 'signed_in',

  'GET /console/api/data/sources': 'signed_in',
  'GET /console/api/data/table': 'signed_in',
  'GET /console/api/data/domain': 'signed_in',
  'POST /console/api/data/verified/:id/run': ['signed_in', 'run_definition'],
  'POST /console/api/data/definitions/:id/confirm': ['define', 'confirm_definition'],
  'GET /console/api/data/proposals': 'define',
  'POST /console/api/data/proposals/:id/accept': ['define', 'accept_proposal'],
  'POST /console/api/data/proposals/:id/decline': ['define', 'decline_proposal'],
  'GET /console/api/data/evals': 'define',

  'GET /console/api/operation': 'operate',
  'GET /console/api/operation/usage': 'operate',
  'GET /console/api/operation/audit': 'operate',
  'GET /console/api/operation/dead-letters': 'operate',
  'POST /console/api/operation/dead-letters/:id/retry': ['operate', 'retry_dead_letter'],
  'DELETE /console/api/operation/dead-letters/:id': ['operate', 'drop_dead_letter'],
} as const satisfies Readonly<Record<`GET ${Path}`, Who> & Record<`${'POST' | 'DELETE'} ${Path}`, readonly [Who, string | null]>>

/** A method and a path, such as `GET /console/api/session`. */
export type ConsoleRoute = keyof typeof CONSOLE_ROUTES
