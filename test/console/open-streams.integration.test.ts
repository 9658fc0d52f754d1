import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createGate } from '../emulators/gate.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import { createToken, HttpClient, sentEvents } from '../support/http-client.ts'
import { runClew } from '../support/run-clew.ts'
import { scriptedAnalyst } from '../support/scripted-analyst.ts'
import { ConsoleClient, type ConsoleWorld, startConsoleWorld } from './world.ts'

const COUNT = 'How many links are there?'
const book = {
  [COUNT]: { queries: { 'Count the links.': ['SELECT count() AS links FROM dz_links'] }, answer: 'There are 64 links [Q1].' },
}
const GROUP = 'S0000000LINKS'
let world: ConsoleWorld

beforeAll(async () => {
  const rules = (teamId: string, bob: string) => `version: 1
roles:
  asker: {tables: [network.*]}
workspaces:
  - platform: slack
    workspace: ${teamId}
    users: {${bob}: asker}
    groups: {${GROUP}: asker}
`
  world = await startConsoleWorld(book, {
    rules: ({ slack }) => {
      slack.workspace.userGroups.set(GROUP, [slack.user('alice').id])
      return rules(slack.teamId, slack.user('bob').id)
    },
    env: { CLEW_ACCESS_TTL_S: '1' },
  })
})
afterAll(() => world?.close())

const signIn = (name: string) =>
  world.signIn({ person: `slack/${world.clew.slack.user(name).id}`, workspace: world.clew.slack.teamId })

/** Asks a question that no model answers before `act` has ended. Returns the events of a stream that was open all the time. */
async function heldStream(client: ConsoleClient | HttpClient, act: () => Promise<unknown>): Promise<readonly string[]> {
  const gate = createGate()
  const analyst = scriptedAnalyst(book)
  world.clew.intercept(call => answer(analyst(call), { after: gate.opened }))
  const headers = { Accept: 'text/event-stream', 'Content-Type': 'application/json' }
  const stream =
    client instanceof ConsoleClient
      ? await client.with(headers).fetch('POST', '/v1/turns', { text: COUNT })
      : await client.fetch('/v1/turns', { method: 'POST', headers, body: JSON.stringify({ text: COUNT }) })
  const events: string[] = []
  for await (const { event, data } of sentEvents(stream)) {
    events.push(event === 'problem' ? String(data.code) : event)
    if (event !== 'start') continue
    await act()
    gate.open()
  }
  return events
}

it('ends a stream with the session that has opened it, and no other one of the person', async () => {
  const [here, there] = [await signIn('bob'), await signIn('bob')]
  expect(await heldStream(there, () => here.send('DELETE', '/console/api/session'))).toContain('answer')
  const third = await signIn('bob')
  expect(await heldStream(third, () => third.send('DELETE', '/console/api/session'))).toEqual(['start', 'unauthorized'])
})

it('ends a stream of a session that was revoked, also if the person has signed in again', async () => {
  const bob = await signIn('bob')
  const revoked = async () => {
    const { output } = await runClew(['tokens', 'list', '--json'], world.env)
    for (const { id } of JSON.parse(output)) await runClew(['tokens', 'revoke', id], world.env)
    await signIn('bob')
  }
  expect(await heldStream(bob, revoked)).toEqual(['start', 'unauthorized'])
})

it('ends a stream of a token of a person whose role is gone', async () => {
  const { slack } = world.clew
  const { bearer } = await createToken(world.env, '--person', `slack/${slack.user('alice').id}`, '--workspace', slack.teamId)
  const alice = new HttpClient(world.url, bearer)
  expect(await heldStream(alice, async () => undefined)).toContain('answer')
  const lost = async () => {
    slack.workspace.userGroups.set(GROUP, [])
    // What the groups were is remembered for a second.
    for (;;) if ((await alice.send('GET', '/v1/subscriptions')).status === 403) return
  }
  expect(await heldStream(alice, lost)).toEqual(['start', 'no_role'])
})
