import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import {
  type ShownSubscriptions,
  shownSubscriptionSchema,
  subscriptionWithRunsSchema,
} from '../subscriptions/shown-subscriptions.ts'
import type { HttpEnv } from './app.ts'
import { Problem } from './problem.ts'
import { json, limited, problems } from './routes.ts'

const one = shownSubscriptionSchema.openapi('Subscription')
const ofId = z.object({ id: z.string() })
const path = '/v1/subscriptions'
const ofOne = { path: `${path}/{id}`, request: { params: ofId } } as const

/** Adds the routes of the caller's own subscriptions. */
export function addSubscriptionRoutes(app: OpenAPIHono<HttpEnv>, shown: ShownSubscriptions): void {
  const list = createRoute({
    ...{ operationId: 'listSubscriptions', method: 'get', path },
    summary: "The caller's reports and alerts that come by themselves",
    responses: { 200: json('The subscriptions', z.object({ subscriptions: z.array(one) })), ...problems },
  })
  app.openapi(list, async context => context.json({ subscriptions: await shown.list(viewerOf(context), limited()) }, 200))
  const get = createRoute({
    ...{ operationId: 'getSubscription', method: 'get', ...ofOne },
    summary: 'One of them with its SQL and its last 50 runs, the latest first',
    responses: { 200: json('The subscription', subscriptionWithRunsSchema.openapi('SubscriptionWithRuns')), ...problems },
  })
  app.openapi(get, async context => {
    const { id } = context.req.valid('param')
    return context.json(known(await shown.find(id, viewerOf(context), limited())), 200)
  })
  const steer = createRoute({
    ...{ operationId: 'steerSubscription', method: 'post', path: `${path}/{id}/{steering}` },
    summary: 'Resumes it, pauses an active one, or has it run now',
    request: { params: ofId.extend({ steering: z.enum(['pause', 'resume', 'run']) }) },
    responses: { 200: json('The subscription as it then is', one), ...problems },
  })
  app.openapi(steer, async context => {
    const { id, steering } = context.req.valid('param')
    return context.json(known(await shown.steer(id, steering, viewerOf(context), limited())), 200)
  })
  const drop = createRoute({
    ...{ operationId: 'deleteSubscription', method: 'delete', ...ofOne },
    summary: 'Deletes it with its history',
    responses: { 204: { description: 'It is deleted' }, ...problems },
  })
  app.openapi(drop, async context => {
    known(await shown.steer(context.req.valid('param').id, 'delete', viewerOf(context), limited()))
    return context.body(null, 204)
  })
}

function viewerOf(context: Context<HttpEnv>) {
  const { person } = context.get('caller').token
  if (person === undefined) throw new Problem(403, 'no_person', 'This token stands for no person, so it has no subscriptions.')
  return { person }
}

/** @throws Problem 404 for what is unknown, or of somebody else */
export function known<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Problem(404, 'not_found', 'There is no such subscription that you may see.')
  return found
}
