import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type SlackEmulator, startSlackEmulator } from '../../../test/emulators/slack/slack-emulator.ts'
import type { PeopleDirectory } from '../../access/people-directory.ts'
import { createLogger } from '../../base/logger.ts'
import { createSlackPeopleDirectory } from './people-directory.ts'

const signal = new AbortController().signal
let slack: SlackEmulator
let people: PeopleDirectory

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  const logger = createLogger({ level: 'silent' })
  people = createSlackPeopleDirectory({ token: slack.botToken, apiUrl: slack.apiUrl, timeoutMs: 5_000, logger })
})
afterEach(() => slack.close())

const membersOf = (group: string) => (people.groups.by === 'group' ? people.groups.membersOf(group, signal) : undefined)
const ids = (...names: readonly string[]) => names.map(name => slack.user(name).id)

describe('Slack tells', () => {
  it('the members of a user group, and none for an unknown one', async () => {
    slack.workspace.userGroups.set('S0614TZR7', ids('alice'))
    expect(await membersOf('S0614TZR7')).toEqual(ids('alice'))
    expect(await membersOf('S0000000X')).toEqual([])
  })

  it('the members of a channel without Clew, up to a limit', async () => {
    const { id } = slack.channel('general')
    expect((await people.channelMembers(id, 10, signal))?.toSorted()).toEqual(ids('alice', 'bob').toSorted())
    expect(await people.channelMembers(id, 1, signal)).toBeUndefined()
  })

  it('nothing after a refusal, which differs from an empty group', async () => {
    slack.faults.refuse('usergroups.users.list', 'missing_scope')
    await expect(membersOf('S0614TZR7')).rejects.toMatchObject({ kind: expect.any(String) })
    slack.faults.refuse('conversations.members', 'fetch_members_failed')
    await expect(people.channelMembers(slack.channel('general').id, 10, signal)).rejects.toMatchObject({
      kind: expect.any(String),
    })
  })
})
