import { describe, expect, it } from '@jest/globals'
import { createLogger } from '../base/logger.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import { KnownPeople, PeopleUnknownError } from './known-people.ts'
import { ACCESS_LIMITS } from './limits.ts'
import type { PeopleDirectory } from './people-directory.ts'

const TTL_MS = 1_000
const signal = new AbortController().signal
const logger = createLogger({ level: 'silent' })

function open() {
  let now = 1_000_000
  const asked: string[] = []
  const said = { groups: { SA: ['U1'], SB: ['U1', 'U2'] } as Record<string, readonly string[]>, isAway: false }
  const tell = async <T>(what: string, value: T) => {
    asked.push(what)
    if (said.isAway) throw new Error('away')
    return value
  }
  const slack: PeopleDirectory = {
    groups: { by: 'group', membersOf: group => tell(group, said.groups[group] ?? []) },
    channelMembers: channel => tell(channel, channel === 'CLARGE' ? undefined : ['U1']),
  }
  const discord: PeopleDirectory = {
    groups: { by: 'member', groupsOf: (server, user) => tell(`${server}/${user}`, ['R1', 'R9']) },
    channelMembers: async () => undefined,
  }
  const store = createMemoryStateStore({ now: () => now })
  const deps = { directories: { slack, discord }, store, ttlMs: TTL_MS, now: () => now, logger }
  const rules = (platform: 'slack' | 'discord', ...groups: readonly string[]) => ({
    ...{ platform, workspace: 'W', users: new Map(), channels: new Map() },
    groups: new Map(groups.map(group => [group, ['role']])),
  })
  return {
    asked,
    said,
    people: new KnownPeople(deps),
    another: () => new KnownPeople(deps),
    rules,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

describe('who is in which group', () => {
  it('comes by group from Slack, and only for groups that the rules name', async () => {
    const { people, rules, asked } = open()
    expect(await people.groupsOf(rules('slack', 'SA', 'SB'), ['U1', 'U2', 'U3'], signal)).toEqual(
      new Map([
        ['U1', ['SA', 'SB']],
        ['U2', ['SB']],
        ['U3', []],
      ]),
    )
    expect(asked.sort()).toEqual(['SA', 'SB'])
  })

  it('comes by member from Discord', async () => {
    const { people, rules } = open()
    expect(await people.groupsOf(rules('discord', 'R1', 'R2'), ['U1'], signal)).toEqual(new Map([['U1', ['R1']]]))
  })

  it('is not requested if the rules name no group', async () => {
    const { people, rules, asked } = open()
    expect(await people.groupsOf(rules('slack'), ['U1'], signal)).toEqual(new Map())
    expect(asked).toEqual([])
  })

  it('is requested once for all concurrent callers, and not again by other processes while it is fresh', async () => {
    const { people, another, rules, asked, pass } = open()
    await Promise.all([1, 2, 3].map(() => people.groupsOf(rules('slack', 'SA'), ['U1'], signal)))
    await another().groupsOf(rules('slack', 'SA'), ['U2'], signal)
    expect(asked).toEqual(['SA'])
    pass(TTL_MS)
    await people.groupsOf(rules('slack', 'SA'), ['U1'], signal)
    expect(asked).toEqual(['SA', 'SA'])
  })

  it('is the last known answer while the platform is away, but not forever', async () => {
    const { people, rules, said, pass } = open()
    const ask = () => people.groupsOf(rules('slack', 'SA'), ['U1'], signal)
    await ask()
    said.isAway = true
    said.groups.SA = []
    pass(ACCESS_LIMITS.staleMs - 1)
    expect((await ask()).get('U1')).toEqual(['SA'])
    pass(1)
    await expect(ask()).rejects.toBeInstanceOf(PeopleUnknownError)
    said.isAway = false
    expect((await ask()).get('U1')).toEqual([])
  })
})

describe('who is in a channel', () => {
  it('is kept as well, even if the platform does not tell', async () => {
    const { people, asked } = open()
    const at = (channel: string) => ({ platform: 'slack', workspace: 'W', channel })
    expect(await people.channelMembers(at('CLARGE'), signal)).toBeUndefined()
    expect(await people.channelMembers(at('CLARGE'), signal)).toBeUndefined()
    expect(await people.channelMembers(at('CSMALL'), signal)).toEqual(['U1'])
    expect(asked).toEqual(['CLARGE', 'CSMALL'])
  })
})
