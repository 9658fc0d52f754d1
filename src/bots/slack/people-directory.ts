import { z } from 'zod'
import type { PeopleDirectory } from '../../access/people-directory.ts'
import { ChatError } from '../../chat/error.ts'
import { callSlack, type SlackClientOptions } from './client.ts'

const membersSchema = z.object({
  members: z.array(z.string()),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
})
const groupSchema = z.object({ users: z.array(z.string()) })
const identitySchema = z.object({ user_id: z.string().min(1) })

/**
 * Finds the members of Slack's user groups and channels. It needs the scopes `usergroups:read`, `channels:read`, `groups:read`
 * and `mpim:read`.
 */
export function createSlackPeopleDirectory(options: SlackClientOptions): PeopleDirectory {
  let ownUser: string | undefined

  async function self(signal: AbortSignal): Promise<string> {
    ownUser ??= identitySchema.parse(await callSlack(options, signal, slack => slack.auth.test())).user_id
    return ownUser
  }

  return {
    groups: {
      by: 'group',
      needs: 'Slack: the app needs the scope usergroups:read.',
      async membersOf(usergroup, signal) {
        try {
          return groupSchema.parse(await callSlack(options, signal, slack => slack.usergroups.users.list({ usergroup }))).users
        } catch (error) {
          // `no_such_subteam`: the group does not exist, so it has no members.
          if (error instanceof ChatError && error.kind === 'gone') return []
          throw error
        }
      },
    },
    async channelMembers(channel, most, signal) {
      const own = await self(signal)
      const found = new Set<string>()
      for (let cursor = ''; ; ) {
        const page = { channel, limit: most + 2, ...(cursor === '' ? {} : { cursor }) }
        const { members, response_metadata: next } = membersSchema.parse(
          await callSlack(options, signal, slack => slack.conversations.members(page)),
        )
        for (const member of members) if (member !== own) found.add(member)
        cursor = next?.next_cursor ?? ''
        if (found.size > most) return undefined
        if (cursor === '') return [...found]
      }
    },
  }
}
