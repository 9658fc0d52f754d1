import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createGate } from '../emulators/gate.ts'
import { answer, hang } from '../emulators/model/model-scripts.ts'
import type { SentMessage } from '../emulators/slack/person.ts'
import type { ShownMessage } from '../emulators/slack/transcript.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { fenced, promptOf } from '../support/scripted-analyst.ts'

/** The scripted model adds this comment to all SQL that it writes. */
const BY_THE_MODEL = '/* by the model */'

const CONNECTED = `SELECT uniqExact(v.vote_pubkey) AS validators FROM network.dz_users AS u
  INNER JOIN network.gossip_nodes AS g ON g.gossip_ip = u.dz_ip INNER JOIN network.vote_accounts AS v ON v.node_pubkey = g.pubkey
  WHERE u.status = 'activated'`

const book = {
  'How many validators are connected?': {
    queries: { 'How many distinct validators are connected now?': [`${BY_THE_MODEL} ${CONNECTED}`] },
    answer: '**246 validators** are connected to the network [Q1].',
  },
  'How many of them are there?': {
    queries: { 'How many distinct validators are connected now?': [`${BY_THE_MODEL} ${CONNECTED}`] },
    answer: '**246 validators** are connected to the network [Q1]. They vote. The rest of them is elsewhere. ',
  },
  'What about their stake?': {
    standalone: 'What is the stake of the connected validators?',
    queries: {
      'Sum the stake of connected validators.': [
        `${BY_THE_MODEL} SELECT sum(activated_stake_lamports) AS stake FROM vote_accounts`,
      ],
    },
    answer: 'Their stake is large [Q1].',
  },
  'Which links exist?': {
    queries: {
      'List the links.': [
        `${BY_THE_MODEL} SELECT cod FROM dz_links`,
        `${BY_THE_MODEL} SELECT code FROM dz_links ORDER BY code LIMIT 3`,
      ],
    },
    answer: 'There are links [Q1].',
  },
  'Who knows the colour?': {
    queries: { 'Find the colour.': [`${BY_THE_MODEL} SELECT colour FROM dz_links`] },
  },
  'Wer kennt die Farbe?': {
    language: 'de',
    queries: { 'Die Farbe finden.': [`${BY_THE_MODEL} SELECT colour FROM dz_links`] },
  },
  'What is secret?': {
    queries: {
      'Read it.': [
        `${BY_THE_MODEL} SELECT * FROM system.users`,
        `${BY_THE_MODEL} SELECT * FROM url('http://127.0.0.1:1/', 'CSV')`,
      ],
    },
  },
  'Will it rain?': { intent: 'out_of_scope', reply: 'I only know the network. Ask me how many devices there are.' },
  'Thanks!': { intent: 'conversational', reply: 'You are welcome.' },
  'What tables are there?': { intent: 'catalog' },
  'Describe dz_metros': { intent: 'catalog', table: 'dz_metros' },
}

let world: ClewWorld

beforeAll(async () => {
  world = await startClewWorld(book)
  await Promise.all([world.startBots(), world.startWorker()])
})
afterEach(() => world.intercept(undefined))
afterAll(() => world.close())

function ask(question: string, thread?: SentMessage): SentMessage {
  const text = thread === undefined ? `${world.slack.botMention} ${question}` : question
  return world.slack.user('alice').post('data', text, thread === undefined ? {} : { thread })
}

/** Waits for the reply with a final text that matches, and returns it. */
function answered(message: SentMessage, text: string | RegExp, index = 0): Promise<ShownMessage> {
  return world.slack.waitFor(() => {
    const reply = world.replies(message)[index]
    return reply !== undefined && (typeof text === 'string' ? reply.plain.includes(text) : text.test(reply.plain)) && reply
  })
}

describe('a question in Slack', () => {
  it('gets a placeholder at once, progress, and the cited answer in the same message', async () => {
    const question = ask('How many validators are connected?')
    const reply = await world.slack.waitFor(() => world.replies(question)[0])
    const final = await answered(question, '246 validators')
    expect(final.ts).toBe(reply.ts)
    expect(final.plain).toContain('[Q1]')
    expect(final.history.length).toBeGreaterThanOrEqual(2)
    expect(world.replies(question)).toHaveLength(1)
    expect(await countOf(CONNECTED)).toBe('246')
  })

  it('remembers the context in a follow-up without a mention', async () => {
    const question = ask('How many validators are connected?')
    await answered(question, '246 validators')
    ask('What about their stake?', question)
    await answered(question, 'Their stake is large', 1)
    const shown = promptOf(world.model.callsOf('classify').at(-1) ?? missing())
    expect(fenced(shown, 'conversation')).toContain('246 validators')
    expect(fenced(promptOf(world.model.callsOf('generate').at(-1) ?? missing()), 'question')).toBe(
      'What is the stake of the connected validators?',
    )
  })

  it('counts for its asker, whom /usage tells so alone', async () => {
    world.slack.user('alice').command('data', '/usage', '')
    const told = /^What you have used:\s+• [1-9]\d* questions? today\s+• [1-9][\d,]* tokens of the language model today/
    const shownTo = (as: string) => world.slack.transcript('data', { as }).filter(({ plain }) => told.test(plain))
    expect(await world.slack.waitFor(() => shownTo('alice')[0])).toMatchObject({ isEphemeral: true })
    expect(shownTo('bob')).toEqual([])
  })

  it('grows in a direct message below the plan and first rows, and remains there as the one answer with its buttons', async () => {
    const gate = createGate()
    const [start, end] = ['**246 validators** are connected to the network [Q1]. They vote. The ', 'rest of them is elsewhere. ']
    world.intercept(call =>
      call.step === 'synthesize'
        ? answer(start + end, { pieces: [start, end], hold: { piece: 1, until: gate.opened } })
        : undefined,
    )
    const question = world.slack.user('alice').directMessage('How many of them are there?')
    const replies = () => world.replies(question)
    const stream = await world.slack.waitFor(() =>
      replies().find(reply => reply.isStreaming && reply.plain.includes('They vote.')),
    )
    const [plan] = replies()
    expect(plan?.ts).not.toBe(stream.ts)
    expect(plan?.plain).not.toContain('They vote')
    const shown = (plan?.history ?? []).map(({ blocks }) => JSON.stringify(blocks))
    expect(shown.at(-1)).toContain('How many of them are there?')
    expect(shown.at(-1)).toMatch(/validators.*"246"/)
    gate.open()
    const final = await answered(question, 'The rest of them is elsewhere.')
    await world.slack.waitFor(() => replies().length === 1)
    expect(replies()[0]).toMatchObject({ ts: stream.ts, isStreaming: false })
    world.slack.user('alice').press(final, { label: 'Show SQL' })
    await world.slack.waitFor(() =>
      world.slack.transcript(question.channel, { as: 'alice' }).some(({ plain }) => plain.includes('uniqExact')),
    )
  })

  it.each([
    ['Will it rain?', 'I only know the network'],
    ['Thanks!', 'You are welcome'],
    ['What tables are there?', 'dz_links'],
    ['Describe dz_metros', 'Three-letter code of the metro'],
  ])('answers "%s" with one model call, besides those ahead of it', async (text, expected) => {
    const before = world.model.calls.length
    await answered(ask(text), expected)
    const steps = world.model.calls.slice(before).map(({ step }) => step)
    expect(steps.filter(step => step !== 'decompose' && step !== 'generate')).toEqual(['classify'])
  })

  it('regenerates a failed query with its error', async () => {
    const before = world.model.callsOf('generate').length
    await answered(ask('Which links exist?'), 'There are links')
    const attempts = world.model.callsOf('generate').slice(before)
    expect(attempts).toHaveLength(2)
    expect(fenced(promptOf(attempts[1] ?? missing()), 'error')).toMatch(/cod\b.*code/s)
  })

  it('reports its attempts if every one fails', async () => {
    const reply = await answered(ask('Who knows the colour?'), 'I could not answer this')
    expect(reply.plain).toMatch(/colour/)
    expect(reply.plain).toContain('What you can do')
  })

  it('is German for a German asker, from the placeholder to errors and button results', async () => {
    const dora = world.slack.addUser({ name: 'dora', locale: 'de-DE' })
    dora.join('data')
    const before = world.model.callsOf('classify').length
    world.intercept(call => (call.step === 'classify' ? hang() : undefined))
    const stopped = dora.post('data', `${world.slack.botMention} Wer kennt die Farbe?`)
    await world.model.arrival('classify', before)
    const shown = await answered(stopped, /^(?:Ich sehe nach|Ich überlege|Ich lese die Frage) …/)
    dora.press(shown, { label: 'Abbrechen' })
    const ended = await answered(stopped, 'Abgebrochen.')
    expect(JSON.stringify(ended.history)).not.toMatch(/Looking|Thinking|Reading|Stop/)
    world.intercept(undefined)
    dora.press(ended, { label: 'Noch einmal' })
    const failed = await answered(stopped, 'Das konnte ich nicht beantworten', 1)
    expect(failed.plain).toContain('Was hilft')
    dora.press(failed, { label: 'Hilfreich' })
    const own = () => world.slack.transcript('data', { as: 'dora' }).filter(message => message.isEphemeral)
    await world.slack.waitFor(() => own().some(({ plain }) => plain.includes('Danke, schön, dass es geholfen hat.')))
  })

  it("can be a command, with its answer below, its SQL for one person, and an entry in the asker's home tab", async () => {
    const [alice, bob] = [world.slack.user('alice'), world.slack.user('bob')]
    alice.command('data', '/ask', 'How many validators are connected?')
    const asked = await world.slack.waitFor(() =>
      world.slack.transcript('data').find(shown => shown.plain.startsWith('❓ How many validators are connected?')),
    )
    const reply = await answered({ ...asked, threadTs: undefined, deliveries: [] }, '246 validators')
    bob.press(reply, { label: 'Show SQL' })
    const shown = (as: string) => world.slack.transcript('data', { as }).filter(message => message.isEphemeral)
    await world.slack.waitFor(() => shown('bob').some(message => message.plain.includes('uniqExact')))
    expect(shown('alice').filter(message => message.plain.includes('uniqExact'))).toEqual([])

    bob.press(reply, { label: 'Not helpful' })
    await world.slack.waitFor(() => bob.modal())
    bob.submitModal({ words: 'I meant devices' })
    await world.slack.waitFor(() => shown('bob').filter(message => message.plain.includes('noted')).length === 2)

    const home = async (visitor: typeof alice) => {
      visitor.openHome()
      return world.slack.waitFor(() => visitor.home()?.plain)
    }
    expect(await home(alice)).toMatch(/Your recent questions.*How many validators are connected\?/s)
    expect(await home(bob)).not.toContain('recent')
  })

  it('ends when it is deleted, although Slack keeps a tombstone, and leaves nothing behind', async () => {
    const before = world.model.callsOf('decompose').length
    world.intercept(call => (call.step === 'decompose' ? hang() : undefined))
    const question = ask('How many validators are connected?')
    await world.model.arrival('decompose', before)
    await world.slack.waitFor(() => world.replies(question).length === 1)
    world.slack.user('alice').delete(question)
    await world.slack.waitFor(() => world.replies(question).length === 0)
    expect(world.slack.transcript('data').find(shown => shown.ts === question.ts)).toMatchObject({ subtype: 'tombstone' })
  })

  it('fault 1: is answered once, however often Slack delivers it', async () => {
    const question = ask('Thanks!')
    await answered(question, 'You are welcome')
    for (const delivery of question.deliveries) world.slack.socket.redeliver(delivery)
    await answered(ask('Will it rain?'), 'I only know')
    expect(world.replies(question)).toHaveLength(1)
  })

  it('is answered in order in a thread of 20', async () => {
    const first = ask('Thanks!')
    for (let count = 1; count < 20; count++) ask(count % 2 === 0 ? 'Thanks!' : 'Will it rain?', first)
    const replies = await world.slack.waitFor(
      () => {
        const all = world.replies(first)
        return all.length === 20 && all.every(reply => /welcome|only know/.test(reply.plain)) && all
      },
      { timeoutMs: 60_000 },
    )
    expect(replies.map(reply => (reply.plain.includes('welcome') ? 'Thanks!' : 'Will it rain?'))).toEqual(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'Thanks!' : 'Will it rain?')),
    )
  })

  it('is answered in each of 20 threads at once', async () => {
    const questions = Array.from({ length: 20 }, () => ask('How many validators are connected?'))
    for (const question of questions) await answered(question, '246 validators')
  })

  it('reaches the warehouse only through the guard', async () => {
    await answered(ask('What is secret?'), 'I could not answer this')
    const received = await world.engine.receivedQueries()
    // All SQL of the model contains the comment. It reaches the engine only as a bound parameter, to be parsed. The SQL that runs has no
    // comment.
    expect(
      received.filter(query => Object.values(query.parameters).some(value => value.includes(BY_THE_MODEL))).length,
    ).toBeGreaterThan(0)
    expect(received.filter(query => query.sql.includes(BY_THE_MODEL))).toEqual([])
    // This form of EXPLAIN runs nothing and opens no table. The guard uses it to find forbidden tables and functions.
    const judged = 'EXPLAIN QUERY TREE run_passes = 0 SELECT * FROM ('
    expect(received.filter(query => /system\.users|url\(/.test(query.sql) && !query.sql.startsWith(judged))).toEqual([])
  })
})

async function countOf(sql: string): Promise<unknown> {
  const { rows } = await world.engine.warehouse.read({ sql }, AbortSignal.timeout(10_000))
  return rows[0]?.[0]
}

function missing(): never {
  throw new Error('the model was not called')
}
