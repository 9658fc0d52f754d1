import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from '../../../test/emulators/discord/discord-emulator.ts'
import { createDiscordPeopleDirectory } from './people-directory.ts'

const signal = new AbortController().signal
let discord: DiscordEmulator

beforeEach(async () => {
  discord = await startDiscordEmulator({ rateLimits: 'relaxed' })
})
afterEach(() => discord.close())

describe('Discord tells', () => {
  it("the roles of a server's member, and none for anybody else", async () => {
    const people = createDiscordPeopleDirectory({ token: discord.botToken, apiUrl: discord.apiUrl })
    const groupsOf = (user: string) =>
      people.groups.by === 'member' ? people.groups.groupsOf(discord.guild.id, user, signal) : undefined
    const alice = discord.user('alice').id
    expect(await groupsOf(alice)).toEqual([])
    const { guild } = discord
    const role = discord.world.addRole(guild, { name: 'finance' })
    discord.world.giveRole(guild, alice, role.id)
    expect(await groupsOf(alice)).toEqual([role.id])
    discord.world.removeMember(guild, alice)
    expect(await groupsOf(alice)).toEqual([])
    expect(await people.channelMembers('1', 10, signal)).toBeUndefined()
  })
})
