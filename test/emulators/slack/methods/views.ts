import { z } from 'zod'
import { type ApiMethods, apiMethod, jsonValue } from '../api-method.ts'

/** The methods for forms and home tabs. Their refusals are documented at docs.slack.dev/reference/methods/views.open and views.publish. */
export const viewMethods = {
  'views.open': apiMethod({
    scopes: [],
    rate: 4,
    args: z.object({ trigger_id: z.string(), view: jsonValue }),
    run: (args, { views }) => ({ view: views.open(args.trigger_id, args.view) }),
  }),

  'views.publish': apiMethod({
    scopes: [],
    rate: 4,
    args: z.object({ user_id: z.string(), view: jsonValue, hash: z.string().optional() }),
    run: (args, { views }) => ({ view: views.publish(args.user_id, args.view) }),
  }),
} as const satisfies ApiMethods
