/**
 * Who may call a route: `anyone`; a person who has `signed_in`; one whose roles have `operate` or `define` in access.yaml. What a
 * route shows of others is its own matter.
 */
export type Who = 'anyone' | 'signed_in' | 'operate' | 'define'

/** All routes of the console. A route that is not in this table cannot be served. */
export const CONSOLE_ROUTES = {
  'GET /console/api/session': 'signed_in',
  'POST /console/api/session': 'anyone',
  'DELETE /console/api/session': 'anyone',

  'GET /console/api/runs': 'signed_in',
  'GET /console/api/runs/changes': 'signed_in',
  'GET /console/api/runs/:id': 'signed_in',
  'GET /console/api/runs/:id/chart': 'signed_in',
  'GET /console/api/runs/:id/csv/:query': 'signed_in',
  'GET /console/api/runs/:id/queries/:query/sql': 'signed_in',
  'POST /console/api/runs/:id/queries/:query/run': 'signed_in',
  'POST /console/api/runs/:id/propose': 'signed_in',
  'POST /console/api/runs/:id/feedback': 'signed_in',
  'POST /console/api/runs/:id/retry': 'signed_in',

  'GET /console/api/subscriptions': 'signed_in',
  'GET /console/api/subscriptions/:id': 'signed_in',
  'POST /console/api/subscriptions/:id/:steering': 'signed_in',

  'GET /console/api/lineage/jobs': 'signed_in',
  'GET /console/api/lineage/jobs/:job/runs': 'signed_in',
  'GET /console/api/lineage/runs/:run/graph': 'signed_in',
  'GET /console/api/lineage/runs/:run/nodes/:node': 'signed_in',
  'GET /console/api/lineage/runs/:run/nodes/:node/why': 'signed_in',
  'GET /console/api/lineage/runs/:run/holders': 'signed_in',

  'GET /console/api/data/sources': 'signed_in',
  'GET /console/api/data/table': 'signed_in',
  'GET /console/api/data/domain': 'signed_in',
  'POST /console/api/data/verified/:id/run': 'signed_in',
  'POST /console/api/data/definitions/:id/confirm': 'define',
  'GET /console/api/data/proposals': 'define',
  'POST /console/api/data/proposals/:id/accept': 'define',
  'POST /console/api/data/proposals/:id/decline': 'define',
  'GET /console/api/data/evals': 'define',

  'GET /console/api/operation': 'operate',
  'GET /console/api/operation/usage': 'operate',
  'GET /console/api/operation/audit': 'operate',
  'GET /console/api/operation/dead-letters': 'operate',
  'POST /console/api/operation/dead-letters/:id/retry': 'operate',
  'DELETE /console/api/operation/dead-letters/:id': 'operate',
} as const satisfies Readonly<Record<`${'GET' | 'POST' | 'DELETE'} /console/api/${string}`, Who>>

type ChangeRoute = Extract<ConsoleRoute, `${'POST' | 'DELETE'} ${string}`>

/** The names in audit log and metrics for the changes that a person makes here. Sessions and subscriptions have names of their own. */
export const CONSOLE_PRESSES = {
  'POST /console/api/runs/:id/queries/:query/run': 'run_query',
  'POST /console/api/runs/:id/propose': 'propose_query',
  'POST /console/api/runs/:id/feedback': 'give_feedback',
  'POST /console/api/runs/:id/retry': 'retry_run',
  'POST /console/api/data/verified/:id/run': 'run_definition',
  'POST /console/api/data/definitions/:id/confirm': 'confirm_definition',
  'POST /console/api/data/proposals/:id/accept': 'accept_proposal',
  'POST /console/api/data/proposals/:id/decline': 'decline_proposal',
  'POST /console/api/operation/dead-letters/:id/retry': 'retry_dead_letter',
  'DELETE /console/api/operation/dead-letters/:id': 'drop_dead_letter',
} as const satisfies Readonly<Record<Exclude<ChangeRoute, `${string}/session` | `${string}/:steering`>, string>>

/** A method and a path, such as `GET /console/api/session`. */
export type ConsoleRoute = keyof typeof CONSOLE_ROUTES
