import { z } from 'zod'
import { type ApiMethods, apiMethod, flag } from '../api-method.ts'
import { ApiRefusal } from '../api-refusal.ts'
import type { JsonObject } from '../message-payload.ts'
import type { SlackUser } from '../slack-model.ts'

/** The methods for the app's own identity, for facts about people, and for the address of Socket Mode. */
export const accountMethods = {
  'auth.test': apiMethod({
    scopes: [],
    rate: 'none',
    args: z.object({}),
    run: (_args, { workspace, app }) => ({
      url: `https://${workspace.teamName}.slack.com/`,
      team: workspace.teamName,
      user: workspace.users.get(app.botUserId)?.name,
      team_id: workspace.teamId,
      user_id: app.botUserId,
      bot_id: app.botId,
      is_enterprise_install: false,
    }),
  }),

  'apps.connections.open': apiMethod({
    token: 'app',
    scopes: [],
    // Slack's reference puts this method into tier 1, but docs.slack.dev/apis/web-api/rate-limits allows "a small amount of burst behaviour". So
    // the emulator does not limit it. `openedConnections` shows whether a client reconnects too often.
    rate: 'none',
    args: z.object({}),
    run: (_args, context) => {
      const ticket = context.socket.issueTicket()
      if (ticket === undefined) throw new ApiRefusal('forbidden_team')
      return { url: `${context.websocketOrigin}/link/?ticket=${ticket}&app_id=${context.app.appId}` }
    },
  }),

  'users.info': apiMethod({
    scopes: ['users:read'],
    rate: 4,
    args: z.object({ user: z.string(), include_locale: flag.optional() }),
    run: (args, { workspace, clock }) => {
      const user = workspace.users.get(args.user)
      if (user === undefined) throw new ApiRefusal('user_not_found')
      return {
        user: {
          ...userPayload(workspace.teamId, user, clock.now()),
          ...(args.include_locale === true && { locale: user.locale }),
        },
      }
    },
  }),

  'usergroups.users.list': apiMethod({
    scopes: ['usergroups:read'],
    rate: 2,
    args: z.object({ usergroup: z.string(), include_disabled: flag.optional() }),
    run: (args, { workspace }) => {
      const users = workspace.userGroups.get(args.usergroup)
      if (users === undefined) throw new ApiRefusal('no_such_subteam')
      return { users: [...users] }
    },
  }),

  'bots.info': apiMethod({
    scopes: ['users:read'],
    rate: 3,
    args: z.object({ bot: z.string().optional() }),
    run: (args, { workspace, app }) => {
      const bot = [...workspace.users.values()].find(user => user.botId === args.bot)
      if (bot === undefined) throw new ApiRefusal('bot_not_found')
      const isOwn = bot.botId === app.botId
      return { bot: { id: bot.botId, deleted: false, name: bot.name, user_id: bot.id, ...(isOwn ? { app_id: app.appId } : {}) } }
    },
  }),
} as const satisfies ApiMethods

function userPayload(teamId: string, user: SlackUser, now: number): JsonObject {
  return {
    id: user.id,
    team_id: teamId,
    name: user.name,
    deleted: false,
    real_name: user.realName,
    tz: user.timeZone,
    tz_label: user.timeZone,
    tz_offset: offsetSeconds(user.timeZone, now),
    profile: { real_name: user.realName, display_name: user.name, team: teamId },
    is_bot: user.isBot,
    is_app_user: false,
  }
}

function offsetSeconds(timeZone: string, now: number): number {
  // Slack accepts even an unknown time zone, which then counts as UTC.
  if (!Intl.supportedValuesOf('timeZone').includes(timeZone)) return 0
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now)
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(parts.find(part => part.type === 'timeZoneName')?.value ?? '')
  if (match === null) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60)
}
