import { ApiRefusal } from '../api-refusal.ts'
import type { Route } from '../api-route.ts'
import { PRIVILEGED_INTENTS } from '../intents.ts'
import { channelPayload, userPayload } from '../payloads.ts'

/** An app in fewer than 100 servers has the LIMITED flags. Discord documents them in resources/application, "Application Flags". */
const APPLICATION_FLAG = { limitedPresence: 1 << 13, limitedMembers: 1 << 15, limitedContent: 1 << 19 } as const

/** The routes for the gateway's address, the bot itself, its application and its direct conversations. */
export const accountRoutes = {
  'GET /gateway': {
    auth: 'none',
    handle: (_request, context) => ({ status: 200, body: { url: context.gatewayUrl } }),
  },
  'GET /gateway/bot': {
    handle: (_request, { gatewayUrl, gateway }) => ({
      status: 200,
      body: { url: gatewayUrl, shards: 1, session_start_limit: gateway.starts.limit() },
    }),
  },
  'GET /users/@me': {
    handle(_request, { world, app }) {
      const user = world.users.get(app.botUserId)
      if (user === undefined) throw new ApiRefusal('unknownUser')
      return { status: 200, body: { ...userPayload(user), mfa_enabled: false, locale: user.locale, verified: true, flags: 0 } }
    },
  },
  'GET /users/{user}': {
    handle(request, { world }) {
      const user = world.users.get(request.param('user'))
      if (user === undefined) throw new ApiRefusal('unknownUser')
      return { status: 200, body: userPayload(user) }
    },
  },
  'GET /applications/@me': {
    handle: (_request, { world, app, allowedIntents }) => ({
      status: 200,
      body: {
        id: app.appId,
        name: world.users.get(app.botUserId)?.name,
        icon: null,
        description: '',
        bot_public: true,
        bot_require_code_grant: false,
        verify_key: '0'.repeat(64),
        flags:
          ((allowedIntents & PRIVILEGED_INTENTS.GUILD_PRESENCES) === 0 ? 0 : APPLICATION_FLAG.limitedPresence) |
          ((allowedIntents & PRIVILEGED_INTENTS.GUILD_MEMBERS) === 0 ? 0 : APPLICATION_FLAG.limitedMembers) |
          ((allowedIntents & PRIVILEGED_INTENTS.MESSAGE_CONTENT) === 0 ? 0 : APPLICATION_FLAG.limitedContent),
        team: null,
        approximate_guild_count: world.guilds.size,
        redirect_uris: [],
        interactions_endpoint_url: null,
      },
    }),
  },
  'POST /users/@me/channels': {
    bucket: 'directChannel',
    handle({ form }, { world, app }) {
      const recipient = world.users.get(String(form.recipient_id))
      if (recipient === undefined) throw new ApiRefusal('unknownUser')
      if (recipient.isBot) throw new ApiRefusal('invalidRecipient')
      return { status: 200, body: channelPayload(world, app, world.directChannel(recipient.id, app.botUserId)) }
    },
  },
} as const satisfies Record<string, Route>
