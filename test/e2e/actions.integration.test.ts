import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import type { SentMessage } from '../emulators/discord/person.ts'
import type { ShownMessage } from '../emulators/discord/transcript.ts'
import { answer as says, toolCalls } from '../emulators/model/model-scripts.ts'
import type { SentMessage as SlackMessage } from '../emulators/slack/person.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { startEndlessPipeline } from '../support/endless-pipeline.ts'
import { until } from '../support/queue-harness.ts'
import { runClew } from '../support/run-clew.ts'

/** A query that would run for minutes. The tests recognize it by the number in it. */
const ENDLESS = `SELECT count() AS found FROM numbers(1000000) AS a CROSS JOIN numbers(1000000) AS b
  WHERE cityHash64(a.number, b.number) = 424242`

/** A name in a data row. If it were read as Markdown, it would mention people, change the format and add a link. */
const HOSTILE = '<@U1> @everyone *loud* _low_ [here](https://evil.example)'

const book = {
  'Which metros are there?': {
    queries: {
      'List the metros.': ["SELECT code, name, '=cmd()' AS formula FROM dz_metros ORDER BY code LIMIT 3"],
      'Count the metros.': [`SELECT '${HOSTILE}' AS name, count() AS metro_count FROM dz_metros`],
    },
    answer: 'There are metros [Q1], {metro_count} of them [Q2].',
  },
  'Find the needle': { queries: { 'Search all numbers.': [ENDLESS] }, answer: 'Found [Q1].' },
  'Who knows the colour?': { queries: { 'Find the colour.': ['SELECT colour FROM dz_links'] } },
  'Thanks!': { intent: 'conversational', reply: 'You are welcome.' },
}

let world: ClewWorld
let discord: DiscordEmulator
let worker: ClewProcess
let env: Readonly<Record<string, string>>
const processes: ClewProcess[] = []

beforeAll(async () => {
  ;[discord, world] = await Promise.all([startDiscordEmulator({ rateLimits: 'relaxed' }), startClewWorld(book)])
  env = {
    ...world.env,
    DISCORD_TOKEN: discord.botToken,
    DISCORD_APPLICATION_ID: discord.appId,
    DISCORD_API_URL: discord.apiUrl,
  }
  expect((await runClew(['discord-commands'], env)).status).toBe(0)
  ;[, worker] = await Promise.all([start('bots'), start('worker')])
  await discord.waitFor(() => discord.gateway.connected() === 1)
})
afterAll(async () => {
  await Promise.all(processes.map(each => each.stop()))
  await world?.close()
  await discord?.close()
})

async function start(command: 'bots' | 'worker'): Promise<ClewProcess> {
  const started = await startClew(command, command === 'bots' ? 'connected' : 'worker started', env)
  processes.push(started)
  return started
}

const ask = (question: string) => discord.user('alice').post('general', `${discord.botMention} ${question}`)

/** Returns the messages of Clew in a question's thread, as one person sees them. */
function shown(question: SentMessage, as = 'alice'): readonly ShownMessage[] {
  const exists = discord.user(as).sees(question.id)
  return exists ? discord.transcript(question.id, { as }).filter(message => message.isFromBot) : []
}

/** Waits until exactly one message of Clew contains this text, and returns it. */
function seen(question: SentMessage, text: string, as = 'alice'): Promise<ShownMessage> {
  const find = () => shown(question, as).find(({ plain }) => plain.includes(text) && !isGrowing(plain))
  return discord.waitFor(() => threadExists(question) && find(), { timeoutMs: 60_000 })
}

/** Whether Clew is still writing the answer. The text of an answer appears before its buttons. */
function isGrowing(text: string): boolean {
  return text.includes('Writing the answer')
}

function threadExists(question: SentMessage): boolean {
  return discord.transcript('general').some(message => message.id === question.id && message.threadId !== undefined)
}

function press(message: ShownMessage, label: string, as = 'alice') {
  return discord.user(as).press(message, { label })
}

/** Counts the endless queries that are running. Ignores the checks that Clew runs before such a query. */
async function running(): Promise<number> {
  const sql = "SELECT count() FROM system.processes WHERE query LIKE 'SELECT * FROM (%424242%'"
  const { rows } = await world.engine.warehouse.read({ sql }, AbortSignal.timeout(10_000))
  return Number(rows[0]?.[0])
}

describe('the buttons of an answer', () => {
  it('show its formatted SQL, send its rows as files, and accept feedback', async () => {
    const question = ask('Which metros are there?')
    const answer = await seen(question, 'There are metros')
    expect(answer.buttons.map(({ label }) => label)).toEqual([
      'Show sources',
      'Show SQL',
      'Download CSV',
      'Repeat this…',
      'Helpful',
      'Not helpful',
    ])

    press(answer, 'Show sources', 'bob')
    const sources = await seen(question, 'metro_count', 'bob')
    expect(sources).toMatchObject({ isEphemeral: true, isLoading: false })
    expect(sources.plain).toContain(`: Q2, row 1 (${HOSTILE}), metro_count`)
    expect(sources.plain).toMatch(/^\D{0,3}\d+: Q2/)

    press(answer, 'Show SQL', 'bob')
    const sql = await seen(question, 'FROM', 'bob')
    expect(sql).toMatchObject({ isEphemeral: true, isLoading: false })
    expect(sql.plain).toMatch(/Q1: List the metros\..*\n\s+code,\n\s+name,.*\nFROM dz_metros/s)

    press(answer, 'Download CSV')
    const csv = await seen(question, 'Q1 (3 rows): List')
    expect(csv.isEphemeral).toBe(true)
    expect(csv.files.map(({ name }) => name)).toEqual(['Q1-list-the-metros.csv', 'Q2-count-the-metros.csv'])
    expect(csv.files[0]?.content.toString('utf8')).toMatch(/^\ufeffcode,name,formula\r\n[^,]+,[^,]+,'=cmd\(\)\r\n/)

    press(answer, 'Helpful')
    await seen(question, 'glad it helped')
    const form = press(answer, 'Not helpful')
    await discord.waitFor(() => form.modal !== undefined)
    discord.user('alice').submitModal(form, { reason: 'Where are the cities?' })
    await seen(question, 'noted')
    const { output } = await runClew(['feedback', '--json'], env)
    expect(JSON.parse(output)).toMatchObject([
      {
        verdict: 'unhelpful',
        reason: 'Where are the cities?',
        question: 'Which metros are there?',
        user: discord.user('alice').id,
      },
    ])
    expect(shown(question, 'bob')).toHaveLength(3)
  })
})

describe('Stop', () => {
  it('ends the run and its query, only for the asker, and Retry asks again once', async () => {
    const question = ask('Find the needle')
    await until('the query runs', async () => (await running()) === 1)
    const progress = await discord.waitFor(() => shown(question)[0])
    press(progress, 'Stop', 'bob')
    await seen(question, 'Only the person who asked can stop this.', 'bob')
    expect(await running()).toBe(1)

    press(progress, 'Stop')
    const pressedAt = Date.now()
    await until('the query has ended', async () => (await running()) === 0)
    console.info(`the query ended ${Date.now() - pressedAt} ms after Stop was pressed`)
    const stopped = await seen(question, 'Stopped.')
    expect(stopped).toMatchObject({ id: progress.id, buttons: [{ label: 'Retry' }] })

    press(stopped, 'Retry')
    press(stopped, 'Retry')
    await seen(question, 'I have tried this again already.')
    const again = await discord.waitFor(() =>
      shown(question).find(({ id, buttons }) => id > stopped.id && buttons[0]?.label === 'Stop'),
    )
    press(again, 'Stop')
    await discord.waitFor(() => shown(question).filter(({ plain }) => plain.includes('Stopped.')).length === 2)
    expect(shown(question).filter(({ isEphemeral }) => !isEphemeral)).toHaveLength(2)
    await until('the query has ended', async () => (await running()) === 0)
  })

  it('also happens when the question is deleted, and nothing of the answer remains', async () => {
    const question = ask('Find the needle')
    await until('the query runs', async () => (await running()) === 1)
    discord.user('alice').delete(question)
    await until('the query has ended', async () => (await running()) === 0)
    await discord.waitFor(() => shown(question).length === 0)
  })
})

describe('a press', () => {
  it('is handled once, even if its worker dies or none is running', async () => {
    const question = ask('Who knows the colour?')
    const failure = await seen(question, 'I could not answer this')
    const asked = async () => (await world.engine.receivedQueries()).filter(({ sql }) => sql.includes('formatQuery(')).length
    const before = await asked()
    await world.engine.inject({ kind: 'delay', milliseconds: 1_900, matching: 'formatQuery(', times: 2 })
    press(failure, 'Show SQL')
    await until('the press is being handled', async () => (await asked()) > before)
    await worker.kill()
    await world.engine.inject()
    press(failure, 'Retry')
    press(failure, 'Helpful')
    worker = await start('worker')

    await seen(question, 'glad it helped')
    await seen(question, 'SELECT colour')
    const failures = () => shown(question).filter(({ plain }) => plain.includes('I could not answer this'))
    await discord.waitFor(() => failures().length === 2, { timeoutMs: 60_000 })
    discord.user('alice').post(question.id, 'Thanks!')
    await seen(question, 'You are welcome')
    expect(failures()).toHaveLength(2)
    expect(shown(question).filter(({ isEphemeral }) => isEphemeral)).toHaveLength(2)
  })

  it('repeats a private question in private', async () => {
    discord.user('alice').command('general', 'ask', { question: 'Who knows the colour?', private: true })
    const failures = (as: string) =>
      discord.transcript('general', { as }).filter(({ plain }) => plain.includes('I could not answer this'))
    press(await discord.waitFor(() => failures('alice')[0], { timeoutMs: 60_000 }), 'Retry')
    await discord.waitFor(() => failures('alice').length === 2, { timeoutMs: 60_000 })
    expect(failures('alice').every(({ isEphemeral }) => isEphemeral)).toBe(true)
    expect(failures('bob')).toEqual([])
  })

  it('shares a private answer', async () => {
    const alice = discord.user('alice')
    alice.command('general', 'ask', { question: 'Which metros are there?', private: true })
    const answer = await discord.waitFor(
      () =>
        discord
          .transcript('general', { as: 'alice' })
          .find(({ plain, isEphemeral }) => isEphemeral && plain.includes('There are metros') && !isGrowing(plain)),
      { timeoutMs: 60_000 },
    )
    press(answer, 'Post to channel')
    press(answer, 'Post to channel')
    const posted = () => discord.transcript('general', { as: 'bob' }).filter(({ plain }) => plain.includes('There are metros'))
    await discord.waitFor(() => posted().length > 0)
    await discord.waitFor(
      () => discord.transcript('general', { as: 'alice' }).filter(({ plain }) => plain === 'Posted.').length === 2,
    )
    expect(posted()).toHaveLength(1)
    expect(posted()[0]?.plain).toContain('Which metros are there?')
    expect(posted()[0]?.buttons.map(({ label }) => label)).toContain('Show sources')
  })
})

describe('the buttons of an answer in Slack', () => {
  const { posts, direct } = {
    posts: (question: SlackMessage, as = 'alice') =>
      world.slack.transcript(question.channel, { as }).filter(({ isFromBot, threadTs }) => isFromBot && threadTs === question.ts),
    direct: (name: string) => world.slack.transcript(world.slack.user(name).directChannel()).filter(({ isFromBot }) => isFromBot),
  }
  const askSlack = (question: string) => world.slack.user('alice').post('data', `${world.slack.botMention} ${question}`)
  const post = (question: SlackMessage, text: string, as = 'alice') =>
    world.slack.waitFor(() => posts(question, as).find(({ plain }) => plain.includes(text) && !isGrowing(plain)), {
      timeoutMs: 60_000,
    })

  it('show its SQL to the presser, send its rows, and accept feedback', async () => {
    const question = askSlack('Which metros are there?')
    const answer = await post(question, 'There are metros')
    const bob = world.slack.user('bob')
    bob.press(answer, { label: 'Show sources' })
    const sources = await post(question, 'metro_count', 'bob')
    expect(sources).toMatchObject({ isEphemeral: true })
    expect(sources.plain).toContain(`: Q2, row 1 (${HOSTILE}), metro_count`)
    bob.press(answer, { label: 'Show SQL' })
    expect(await post(question, 'FROM dz_metros', 'bob')).toMatchObject({ isEphemeral: true })
    bob.press(answer, { label: 'Download CSV' })
    await world.slack.waitFor(() => direct('bob').flatMap(({ files }) => files).length === 2)
    expect(direct('bob').flatMap(({ files }) => files.map(({ content }) => content.toString()))[0]).toMatch(
      /^\ufeffcode,name,formula\r\n/,
    )
    bob.press(answer, { label: 'Helpful' })
    await post(question, 'glad it helped', 'bob')
    expect(posts(question)).toHaveLength(1)
  })

  it('stop a run, and deleting a question deletes its answer', async () => {
    const question = askSlack('Find the needle')
    await until('the query runs', async () => (await running()) === 1)
    const progress = await world.slack.waitFor(() => posts(question)[0])
    world.slack.user('alice').press(progress, { label: 'Stop' })
    const stopped = await post(question, 'Stopped.')
    expect(stopped.ts).toBe(progress.ts)
    await until('the query has ended', async () => (await running()) === 0)
    world.slack.user('alice').press(stopped, { label: 'Retry' })
    await until('the query runs again', async () => (await running()) === 1)
    world.slack.user('alice').delete(question)
    await until('the query has ended', async () => (await running()) === 0)
    await world.slack.waitFor(() => posts(question).length === 1)
  })
})

describe('the buttons of an investigation', () => {
  it('show the sources of its figures to the presser, in Discord and in Slack', async () => {
    await startEndlessPipeline(world.engine.warehouse)
    const counting = toolCalls({ name: 'query_table', arguments: { sql: 'SELECT max(n) AS last_number FROM {{ raw }}' } })
    world.intercept(({ step, body }) => {
      if (step !== 'lineage') return undefined
      const hasRows = body.messages.some(({ role }) => role === 'tool')
      return hasRows ? says('The last number of `raw` is 1499 {=A1} [E1].\n\nFAULT: raw') : counting
    })
    const question = 'lineage daily why does it end so early?'
    const inSlack = world.slack.user('alice').post('data', `${world.slack.botMention} ${question}`)
    const inDiscord = ask(question)
    const inBoth = {
      slack: () => world.slack.transcript(inSlack.channel, { as: 'bob' }).filter(({ threadTs }) => threadTs === inSlack.ts),
      discord: () => (threadExists(inDiscord) ? shown(inDiscord, 'bob') : []),
    }
    const label = 'Show sources'
    const answers = [
      await world.slack.waitFor(() => inBoth.slack().find(({ blocks }) => JSON.stringify(blocks).includes(label)), {
        timeoutMs: 60_000,
      }),
      await discord.waitFor(() => inBoth.discord().find(({ buttons }) => buttons.some(button => button.label === label)), {
        timeoutMs: 60_000,
      }),
    ] as const
    world.slack.user('bob').press(answers[0], { label })
    press(answers[1], label, 'bob')
    const isSource = ({ plain }: { readonly plain: string }) => plain.includes('1499: E1, row 1, last_number')
    const sources = [
      await world.slack.waitFor(() => inBoth.slack().find(isSource)),
      await discord.waitFor(() => inBoth.discord().find(isSource)),
    ]
    expect(sources.map(({ isEphemeral }) => isEphemeral)).toEqual([true, true])
  }, 120_000)
})
