import { ApiRefusal } from '../api-refusal.ts'
import type { Route } from '../api-route.ts'
import { DISCORD_LIMITS } from '../discord-limits.ts'
import { FormErrors } from '../form-errors.ts'
import { INTENTS } from '../intents.ts'
import { channelPayload, guildPayload, memberWithUser, rolePayload } from '../payloads.ts'
import { guildOf } from './access.ts'

/** The routes for servers, their roles and their members. */
export const guildRoutes = {
  'GET /guilds/{guild}': {
    handle: (request, context) => ({ status: 200, body: guildPayload(guildOf(request, context)) }),
  },
  'GET /guilds/{guild}/roles': {
    handle: (request, context) => ({
      status: 200,
      body: [...guildOf(request, context).roles.values()].map(rolePayload),
    }),
  },
  'GET /guilds/{guild}/channels': {
    handle(request, context) {
      const { world, app } = context
      const guild = guildOf(request, context)
      const channels = [...world.channels.values()].filter(
        channel => channel.guildId === guild.id && channel.thread === undefined && !channel.isDeleted,
      )
      return { status: 200, body: channels.map(channel => channelPayload(world, app, channel)) }
    },
  },
  'GET /guilds/{guild}/members': {
    bucket: 'members',
    handle(request, context) {
      const guild = guildOf(request, context)
      if ((context.allowedIntents & INTENTS.guildMembers) === 0) throw new ApiRefusal('missingAccess')
      const limit = Number(request.query.get('limit') ?? 1)
      const errors = new FormErrors()
      if (!Number.isInteger(limit) || limit < 1 || limit > DISCORD_LIMITS.membersPage) {
        errors.add(['limit'], 'NUMBER_TYPE_MAX', `int value should be between 1 and ${DISCORD_LIMITS.membersPage}.`)
      }
      errors.refuseIfAny()
      const after = BigInt(request.query.get('after') ?? 0)
      const ids = [...guild.members.keys()].filter(id => BigInt(id) > after).slice(0, limit)
      return { status: 200, body: ids.flatMap(id => memberWithUser(context.world, guild, id) ?? []) }
    },
  },
  'GET /guilds/{guild}/members/{user}': {
    bucket: 'members',
    handle(request, context) {
      const guild = guildOf(request, context)
      const id = request.param('user')
      if (!context.world.users.has(id)) throw new ApiRefusal('unknownUser')
      const member = memberWithUser(context.world, guild, id)
      if (member === undefined) throw new ApiRefusal('unknownMember')
      return { status: 200, body: member }
    },
  },
} as const satisfies Record<string, Route>
