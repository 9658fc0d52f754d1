import { Routes } from 'discord.js'
import { z } from 'zod'
import type { PeopleDirectory } from '../../access/people-directory.ts'
import { ChatError } from '../../chat/error.ts'
import { readResponse } from './response.ts'
import { createDiscordCalls, type DiscordRestOptions } from './rest.ts'

const memberSchema = z.object({ roles: z.array(z.string()) })

/**
 * Finds the roles of a server's members. It cannot list the members of a channel: Discord demands a privileged intent for that,
 * and Clew avoids such intents.
 */
export function createDiscordPeopleDirectory(options: DiscordRestOptions): PeopleDirectory {
  const call = createDiscordCalls(options)
  return {
    groups: {
      by: 'member',
      async groupsOf(server, user, signal) {
        const path = Routes.guildMember(server, user)
        try {
          return readResponse(memberSchema, await call(signal, (rest, signal) => rest.get(path, { signal }))).roles
        } catch (error) {
          // The person is not in the server, so the list of roles is empty.
          if (error instanceof ChatError && error.kind === 'gone') return []
          throw error
        }
      },
    },
    channelMembers: () => Promise.resolve(undefined),
  }
}
