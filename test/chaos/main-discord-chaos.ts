import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import { startScriptedModel } from '../emulators/model/scripted-model.ts'
import { Random } from '../fuzz/random.ts'
import { createRedisProcess, type RedisProcess } from '../support/redis-process.ts'
import { scriptedAnalyst } from '../support/scripted-analyst.ts'
import { TEST_STATE_KEY } from '../support/state-key.ts'
import { type RunningClew, runClew } from './running-clew.ts'

const USAGE_STATUS = 2
const REDIS_AWAY_MS = 1_500
const FAULT_EVERY_MS = 400
/** The time limit for the answers that are still missing after all faults have ended. */
const REST_MS = 240_000
const LOOK_EVERY_MS = 2_000
/** After the last answer, the command waits this long. A wrong post in this time still counts as a failure. */
const AFTERWARDS_MS = 5_000
const POST = 'POST /channels/{channel}/messages'
const EDIT = 'PATCH /channels/{channel}/messages/{message}'

interface Options {
  readonly threads: number
  readonly messages: number
  readonly seconds: number
  readonly seed: number
  readonly every: number
}

/** One question of the test, and the thread in which it was asked. */
interface Asked {
  readonly name: string
  readonly thread: string
}

/**
 * The command `npm run chaos` runs real bots and workers on an emulated Discord. In the meantime, workers and Redis are killed, requests fail,
 * events repeat and sessions break. The command succeeds if each question has exactly one answer, in order, in its thread.
 * @returns the exit code: 0 for success, 1 for a failure, 2 for invalid options
 */
export async function mainDiscordChaos(args: readonly string[]): Promise<number> {
  const command = new Command('npm run chaos --')
    .description('Asks in Discord while everything breaks, and looks whether each question has one answer.')
    .option('--threads <count>', 'that are asked in', atLeastOne, 40)
    .option('--messages <count>', 'questions in all', atLeastOne, 300)
    .option('--seconds <count>', 'that it breaks for', atLeastOne, 150)
    .option('--every <seconds>', 'about how often a process is killed or the sessions break', atLeastOne, 12)
    .option('--seed <number>', 'of an earlier run, to repeat it', atLeastOne, 1)
    .allowExcessArguments(false)
    .exitOverride()
  try {
    command.parse(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_STATUS
    throw error
  }
  return chaos(command.opts<Options>())
}

async function chaos(options: Options): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-chaos-'))
  const names = Array.from({ length: options.messages }, (_, index) => `q${index + 1}`)
  const book = names.map(name => [
    questionOf(name),
    { queries: { [questionOf(name)]: [`SELECT '${name}' AS name, 42 AS n`] }, answer: `${name} has **42** [Q1].` },
  ])
  const analyst = scriptedAnalyst(Object.fromEntries(book))
  const [discord, redis, model] = await Promise.all([
    startDiscordEmulator({ rateLimits: 'relaxed' }),
    createRedisProcess(['--appendfsync', 'always', '--maxmemory-policy', 'noeviction']),
    startScriptedModel({ onRequest: call => answer(analyst(call)) }),
  ])
  await redis.start()
  const env = {
    DISCORD_TOKEN: discord.botToken,
    DISCORD_APPLICATION_ID: discord.appId,
    DISCORD_API_URL: discord.apiUrl,
    REDIS_URL: redis.url,
    CLEW_STATE_KEY: TEST_STATE_KEY,
    CLICKHOUSE_URL: `chdb:${folder}`,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'scripted',
  }
  const bots = runClew('bots', join(folder, 'bots.log'), env)
  const workers = [1, 2].map(number => runClew('worker', join(folder, `worker-${number}.log`), env))
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => void Promise.all([bots, ...workers].map(each => each.stop())).then(() => process.exit(1)))
  }
  try {
    await discord.waitFor(() => discord.gateway.connected() === 1, { timeoutMs: 60_000 })
    const breaking = breakThings({ discord, redis, workers }, options)
    const asked = await ask(discord, names, options)
    const counts = await breaking
    const threads = [...new Set(asked.map(({ thread }) => thread))]
    const look = () => threads.flatMap(thread => problems(discord, thread, asked))
    await until(() => look().length === 0, REST_MS)
    await wait(AFTERWARDS_MS)
    const wrong = look()
    for (const line of wrong.slice(0, 10)) console.log(line)
    if (wrong.length > 0) {
      await writeFile(join(folder, 'discord.txt'), discord.describe())
      console.log(`what the processes logged, and what Discord shows, stands in ${folder}`)
    } else await rm(folder, { recursive: true, force: true })
    console.log(JSON.stringify({ seed: options.seed, every: options.every, asked: asked.length, ...counts }))
    console.log(wrong.length === 0 ? 'each question has one answer' : `${wrong.length} of ${options.threads} threads are wrong`)
    return wrong.length === 0 ? 0 : 1
  } finally {
    await Promise.all([bots, ...workers].map(each => each.stop()))
    await Promise.all([discord.close(), redis.close(), model.close()])
  }
}

/**
 * Asks questions. The first question of a thread mentions the bot in a channel. Further questions follow in the thread that the bot has started.
 */
async function ask(discord: DiscordEmulator, names: readonly string[], options: Options): Promise<readonly Asked[]> {
  const alice = discord.user('alice')
  const random = new Random(options.seed, 1)
  const roots: string[] = []
  const asked: Asked[] = []
  for (const [index, name] of names.entries()) {
    const root = index < options.threads ? undefined : roots[index % options.threads]
    const isThere = () => root === undefined || threadOf(discord, root) !== undefined
    if (!(await until(isThere, options.seconds * 1000 + REST_MS))) throw new Error(`${root} has no thread`)
    const sent = alice.post(root ?? 'general', `${root === undefined ? `${discord.botMention} ` : ''}${questionOf(name)}`)
    roots.push(sent.id)
    asked.push({ name, thread: root ?? sent.id })
    if (random.chance(0.1)) {
      await wait(random.int(500))
      // A Discord session that has ended delivers no event again, so the attempt may fail.
      for (const delivery of sent.deliveries) attempt(() => discord.gateway.redeliver(delivery))
    }
    await wait((options.seconds * 800) / options.messages)
  }
  return asked
}

/** Checks only at intervals. A check reads all messages, and the emulator answers no requests in the meantime. */
async function until(holds: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!holds()) {
    if (performance.now() > deadline) return false
    await wait(LOOK_EVERY_MS)
  }
  return true
}

async function breakThings(
  { discord, redis, workers }: { discord: DiscordEmulator; redis: RedisProcess; workers: readonly RunningClew[] },
  { seconds, every, seed }: Options,
): Promise<Readonly<Record<string, number>>> {
  const random = new Random(seed, 0)
  const counts = { workersKilled: 0, redisRestarts: 0, sessionsBroken: 0, requestsFailed: 0 }
  const deadline = performance.now() + seconds * 1000

  async function failRequests(): Promise<void> {
    const planned = new Map<typeof POST | typeof EDIT, number>()
    for (; performance.now() < deadline; await wait(FAULT_EVERY_MS)) {
      const route = random.pick([POST, EDIT] as const)
      const requests = discord.calls(route).length
      // Plans at most one fault per route at a time, so that no fault is left over at the end.
      if (requests === planned.get(route)) continue
      const fault = random.weighted<(() => void) | undefined>([
        [5, undefined],
        [2, () => discord.faults.httpError(route, 500)],
        [2, () => discord.faults.rateLimit(route, 1)],
        [1, () => discord.faults.loseAnswer(route)],
      ])
      if (fault === undefined) continue
      planned.set(route, requests)
      counts.requestsFailed += 1
      fault()
    }
  }

  async function breakParts(): Promise<void> {
    while (performance.now() < deadline) {
      await wait(every * (700 + random.int(600)))
      const [count, act] = random.weighted<readonly [keyof typeof counts, () => Promise<void> | void]>([
        [70, ['workersKilled', () => random.pick(workers).kill()]],
        [15, ['redisRestarts', () => restart(redis)]],
        [10, ['sessionsBroken', () => discord.gateway.dropConnections()]],
        [5, ['sessionsBroken', () => discord.gateway.requestReconnect()]],
      ])
      counts[count] += 1
      await act()
    }
  }

  await Promise.all([failRequests(), breakParts()])
  return counts
}

async function restart(redis: RedisProcess): Promise<void> {
  await redis.kill()
  await wait(REDIS_AWAY_MS)
  await redis.start()
}

/**
 * Returns the problems of a thread. Each answer must appear exactly once, in the order of the questions. The time at which an answer was shown
 * decides the order, because a failed first post is repeated later. Notes after late answers are ignored.
 */
function problems(discord: DiscordEmulator, thread: string, asked: readonly Asked[]): readonly string[] {
  const wanted = asked.filter(each => each.thread === thread).map(({ name }) => `${name} has 42`)
  const answerIn = (text: string) => wanted.find(each => text.includes(each) && !text.includes('Writing the answer'))
  const messages = threadOf(discord, thread) === undefined ? [] : discord.transcript(thread)
  const found = messages
    .filter(({ isFromBot, plain }) => isFromBot && !plain.includes('your answer is ready'))
    .map(({ plain, history }) => ({
      text: answerIn(plain) ?? plain.slice(0, 120),
      at: history.find(version => answerIn(version.plain) !== undefined)?.at ?? Number.POSITIVE_INFINITY,
    }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ text }) => text)
  return JSON.stringify(found) === JSON.stringify(wanted) ? [] : [`${thread}: ${JSON.stringify({ wanted, found })}`]
}

function threadOf(discord: DiscordEmulator, id: string): unknown {
  return attempt(() => discord.channel(id))
}

function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

function questionOf(name: string): string {
  return `How many does ${name} have?`
}

function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(text)
}
