import { ApiRefusal } from '../api-refusal.ts'
import type { ApiContext, ApiRequest, Route } from '../api-route.ts'

const GLOBAL = '/applications/{application}/commands'
const OF_GUILD = '/applications/{application}/guilds/{guild}/commands'

const list: Route = {
  handle(request, context) {
    const commands = context.commands.list(scope(request, context))
    return { status: 200, body: commands.map(command => context.commands.payload(command)) }
  },
}
const overwrite: Route = {
  bucket: 'commands',
  handle(request, context) {
    const commands = context.commands.overwrite(scope(request, context), request.json)
    return { status: 200, body: commands.map(command => context.commands.payload(command)) }
  },
}
const create: Route = {
  bucket: 'commands',
  handle(request, context) {
    const { command, isNew } = context.commands.create(scope(request, context), request.form)
    return { status: isNew ? 201 : 200, body: context.commands.payload(command) }
  },
}
const get: Route = {
  handle(request, context) {
    const command = context.commands.get(scope(request, context), request.param('command'))
    return { status: 200, body: context.commands.payload(command) }
  },
}
const edit: Route = {
  bucket: 'commands',
  handle(request, context) {
    const command = context.commands.edit(scope(request, context), request.param('command'), request.form)
    return { status: 200, body: context.commands.payload(command) }
  },
}
const remove: Route = {
  bucket: 'commands',
  handle(request, context) {
    context.commands.delete(scope(request, context), request.param('command'))
    return { status: 204 }
  },
}

/** The routes for application commands: global ones, and those of one server. */
export const commandRoutes = {
  [`GET ${GLOBAL}`]: list,
  [`PUT ${GLOBAL}`]: overwrite,
  [`POST ${GLOBAL}`]: create,
  [`GET ${GLOBAL}/{command}`]: get,
  [`PATCH ${GLOBAL}/{command}`]: edit,
  [`DELETE ${GLOBAL}/{command}`]: remove,
  [`GET ${OF_GUILD}`]: list,
  [`PUT ${OF_GUILD}`]: overwrite,
  [`POST ${OF_GUILD}`]: create,
  [`GET ${OF_GUILD}/{command}`]: get,
  [`PATCH ${OF_GUILD}/{command}`]: edit,
  [`DELETE ${OF_GUILD}/{command}`]: remove,
} as const satisfies Record<string, Route>

/**
 * Returns the server in the request's path, or undefined for global commands.
 * @throws ApiRefusal 20012 for another application; 50001 for an unknown server
 */
function scope(request: ApiRequest, context: ApiContext): string | undefined {
  if (request.param('application') !== context.app.appId) throw new ApiRefusal('notYourApplication')
  const guildId = request.param('guild')
  if (guildId === '') return undefined
  if (context.world.guilds.get(guildId)?.members.has(context.app.botUserId) !== true) throw new ApiRefusal('missingAccess')
  return guildId
}
