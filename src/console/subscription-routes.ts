import { known } from '../http/subscription-routes.ts'
import type { ShownSubscriptions, SubscriptionViewer } from '../subscriptions/shown-subscriptions.ts'
import { steeringSchema } from '../subscriptions/steer.ts'
import type { ConsoleApp, Viewer } from './app.ts'

/** Adds the routes of the page Subscriptions. A steered one that is deleted is shown as it was. */
export function addSubscriptionRoutes(app: ConsoleApp, shown: ShownSubscriptions): void {
  app.add('GET /console/api/subscriptions', ({ viewer, signal }) => shown.list(whoSees(viewer), signal))
  app.add('GET /console/api/subscriptions/:id', async ({ viewer, path, signal }) =>
    known(await shown.find(path.id, whoSees(viewer), signal)),
  )
  for (const steering of steeringSchema.options)
    app.add(`POST /console/api/subscriptions/:id/${steering}`, async ({ viewer, path, signal }) =>
      known(await shown.steer(path.id, steering, whoSees(viewer), signal)),
    )
}

function whoSees({ person, may, rights }: Viewer): SubscriptionViewer {
  return { person, ...(may.operate && { all: { rights } }) }
}
