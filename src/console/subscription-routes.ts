import { known } from '../http/subscription-routes.ts'
import type { ShownSubscriptions, SubscriptionViewer } from '../subscriptions/shown-subscriptions.ts'
import { steeringSchema } from '../subscriptions/steer.ts'
import type { Observe } from '../telemetry/observation.ts'
import type { ConsoleApp, Viewer } from './app.ts'
import { limited } from './limits.ts'

interface SubscriptionRoutesDeps {
  readonly shown: ShownSubscriptions
  readonly observe?: Observe
}

/** Adds the routes of the page Subscriptions. A steered one that is deleted is shown as it was. */
export function addSubscriptionRoutes(app: ConsoleApp, { shown, observe }: SubscriptionRoutesDeps): void {
  app.add('GET /console/api/subscriptions', async context =>
    context.json(await shown.list(whoSees(context.get('viewer')), limited())),
  )
  app.add('GET /console/api/subscriptions/:id', async context =>
    context.json(known(await shown.find(context.req.param('id'), whoSees(context.get('viewer')), limited()))),
  )
  app.add('POST /console/api/subscriptions/:id/:steering', async context => {
    const { id, steering: given } = context.req.param()
    const steering = steeringSchema.safeParse(given).data
    const steered = steering && (await shown.steer(id, steering, whoSees(context.get('viewer')), limited()))
    const outcome = steered === undefined ? 'failed' : 'answered'
    if (steering) observe?.({ kind: 'press', platform: 'console', action: `${steering}_subscription`, outcome })
    return context.json(known(steered))
  })
}

function whoSees({ person, may, rights }: Viewer): SubscriptionViewer {
  return { person, ...(may.operate && { all: { rights } }) }
}
