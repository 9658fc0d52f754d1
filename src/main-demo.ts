import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Analyst, Question } from './agent/analyst.ts'
import { OpenQuestions } from './agent/open-questions.ts'
import { newRunId } from './agent/run-id.ts'
import { answerView } from './bots/terminal/answer-view.ts'
import { ChatSession, type ChatSessionOptions } from './bots/terminal/chat-session.ts'
import { TerminalProgress } from './bots/terminal/terminal-progress.ts'
import type { View } from './bots/terminal/terminal-style.ts'
import { DEMO_WORLD_DATABASE, type DemoWorld, loadDemoWorld } from './clickhouse/demo-world.ts'
import { createSqlFormatter } from './clickhouse/format-sql.ts'
import type { Warehouse } from './clickhouse/warehouse.ts'
import { viewOf } from './commands/ask.ts'
import { type CommandContext, EXIT, openStateStore, runCommand, tell } from './commands/command-context.ts'
import type { LanguageModel } from './llm/language-model.ts'
import { RecordedLanguageModel, readRecordings } from './llm/recorded-language-model.ts'
import { RecordingLanguageModel } from './llm/recording-language-model.ts'
import { wireAnalyst, wireGuard, wireModel, wireSchemaSource, wireWarehouse } from './main-parts.ts'
import { startEmbeddedRedis } from './store/embedded-redis.ts'
import { startHealthServer } from './telemetry/health-server.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DATA = join(ROOT, '.clew')

const sampleSchema = z.object({ thread: z.string(), question: z.string(), tags: z.array(z.string()) })
type Sample = z.infer<typeof sampleSchema>
/** The questions of this tag make the conversation; the others are there to be asked. */
const SHOWN = 'demo'
/** Telemetry comes every five minutes: within less, no window of time moves over a measurement. */
const WORLD_LIFE_MS = 4 * 60_000
const RECORDINGS = join(ROOT, 'demo', 'recordings.jsonl')

process.exitCode = await runCommand(await demoEnvironment(), demo, { logLevel: 'error' })

/** The process's environment, with parts of the demo's own where nothing is set. A real server is never filled with demo data. */
async function demoEnvironment(): Promise<NodeJS.ProcessEnv> {
  const { CLICKHOUSE_URL: url } = process.env
  return {
    ...process.env,
    CLICKHOUSE_URL: url?.startsWith('chdb:') ? url : `chdb:${join(DATA, 'clickhouse')}`,
    CLICKHOUSE_DATABASE: DEMO_WORLD_DATABASE,
    CLEW_DOMAIN_DIR: process.env.CLEW_DOMAIN_DIR || join(ROOT, 'demo', 'domain'),
  }
}

async function demo(context: CommandContext): Promise<number> {
  const once = process.argv.includes('--once')
  // Asks every sample question of the configured model and keeps what it says for later replays.
  const record = process.argv.includes('--record')
  const { output, signal, resources, logger } = context
  const view = viewOf(output)
  const say = (text: string) => output.write(`${text}\n`)

  say(view.style('bold', 'Clew, a data analyst for your chat. This is a demo on embedded Redis and ClickHouse.'))
  const redisUrl = context.config.redis.url ?? (await startRedis(context))
  const config = { ...context.config, redis: { ...context.config.redis, url: redisUrl } }
  const wiring = { ...context, config }
  const warehouse = await wireWarehouse(wiring, signal)
  const world = await freshWorld(warehouse, signal)
  let { anchor } = world
  const millions = (world.rows / 1e6).toFixed(1)
  say(`A network operator's data: ${millions} million rows, made in ${(world.elapsedMs / 1000).toFixed(1)} s.`)

  const samples = await readSamples()
  const model = record ? await recordingModel(wiring) : await chooseModel(wiring, samples, say)
  const store = await openStateStore(wiring)
  const wired = await wireAnalyst(wiring, {
    warehouse,
    guard: await wireGuard(wiring, warehouse, signal, sentence => tell(context, sentence)),
    store,
    model,
    schemaSource: wireSchemaSource(wiring, { warehouse, store }),
  })

  // What is said was said of a world that has just ended, so it is made anew when time has passed over it.
  const analyst = {
    async ask(question: Question, own: AbortSignal) {
      if (Date.now() - anchor.getTime() > WORLD_LIFE_MS || record) anchor = (await freshWorld(warehouse, own)).anchor
      return wired.ask(question, own)
    },
  }
  for (const sample of samples.filter(({ tags }) => record || tags.includes(SHOWN))) {
    if (!(await converse(analyst, sample, context, view))) return EXIT.failed
  }
  if (once || record) return EXIT.answered

  const health = await startHealthServer({ port: config.port, checks: {}, logger })
  resources.add('health server', health, server => server.close())
  await serve(
    { analyst, questions: new OpenQuestions({ store, now: Date.now }), formatSql: createSqlFormatter(warehouse) },
    context,
    view,
    samples,
    config.warehouse.url ?? '',
  )
  return EXIT.answered
}

/** The demo's world, ending now. */
function freshWorld(warehouse: Warehouse, signal: AbortSignal): Promise<DemoWorld> {
  return loadDemoWorld({ warehouse, anchor: new Date(Math.floor(Date.now() / 1_000) * 1_000) }, signal)
}

async function startRedis({ resources, logger }: CommandContext): Promise<string> {
  const redis = await startEmbeddedRedis({ directory: join(DATA, 'redis'), path: process.env.PATH ?? '', logger })
  return resources.add('embedded redis', redis, opened => opened.close()).url
}

async function readSamples(): Promise<Sample[]> {
  const lines = (await readFile(join(ROOT, 'demo', 'questions.jsonl'), 'utf8')).split('\n')
  return lines.filter(line => line !== '').map(line => sampleSchema.parse(JSON.parse(line)))
}

async function chooseModel(
  context: CommandContext,
  samples: readonly Sample[],
  say: (text: string) => void,
): Promise<LanguageModel> {
  if (context.config.model !== undefined) {
    say(`Model: ${context.config.model.model}, live.`)
    return wireModel(context)
  }
  say(
    'No model is set, so what the model says is replayed from recordings; every query runs live. With OPENAI_API_KEY or OPENAI_BASE_URL set, all is live.',
  )
  return new RecordedLanguageModel(
    await readRecordings(RECORDINGS),
    `There is no recorded answer to that. Recorded are, an indented one only after the one above it:\n${listed(samples)}\nTo ask anything, set OPENAI_API_KEY and OPENAI_MODEL (or OPENAI_BASE_URL) and start again.`,
  )
}

/** One question a line, those that go on with a conversation further in. */
function listed(samples: readonly Sample[]): string {
  return samples
    .map(({ thread, question }, index) => `${samples[index - 1]?.thread === thread ? '    ' : '  '}${question}`)
    .join('\n')
}

async function recordingModel(context: CommandContext): Promise<LanguageModel> {
  const model = wireModel(context)
  await rm(RECORDINGS, { force: true })
  return new RecordingLanguageModel(model, recording => appendFile(RECORDINGS, `${JSON.stringify(recording)}\n`))
}

/** Asks one sample question and shows the answer. @returns whether all of it worked */
async function converse(analyst: Pick<Analyst, 'ask'>, sample: Sample, context: CommandContext, view: View): Promise<boolean> {
  const { output, errorOutput, signal } = context
  output.write(`\n${view.style('bold', `› ${sample.question}`)}\n`)
  const progress = new TerminalProgress({ output: errorOutput, inPlace: errorOutput.isTTY, ...viewOf(errorOutput) })
  const started = Date.now()
  const { result, afterwards } = await analyst
    .ask(
      {
        runId: newRunId(),
        thread: `demo/${process.pid}/${sample.thread}`,
        text: sample.question,
        askedAt: started,
        ...(errorOutput.isTTY ? { observe: event => progress.observe(event) } : {}),
      },
      signal,
    )
    .finally(() => progress.clear())
  output.write(`${answerView(result, view)}\n${view.style('dim', `${result.run_id}, ${Date.now() - started} ms`)}\n`)
  await afterwards(signal)
  const failed = result.queries.filter(query => query.error !== null)
  for (const query of failed) errorOutput.write(`${query.id} failed: ${query.error}\n`)
  return failed.length === 0
}

/** Stays until stopped: at a terminal as a conversation, else as a server. */
async function serve(
  parts: Pick<ChatSessionOptions, 'analyst' | 'questions' | 'formatSql'>,
  context: CommandContext,
  view: View,
  samples: readonly Sample[],
  warehouseUrl: string,
): Promise<void> {
  const { output, signal } = context
  // Whole conversations, with what was shown of them: a follow-up is recorded after its question only.
  const unshown = new Set(samples.filter(({ tags }) => !tags.includes(SHOWN)).map(({ thread }) => thread))
  const others = samples.filter(({ thread }) => unshown.has(thread))
  output.write(
    `\nThe demo goes on until you stop it. Its warehouse is CLICKHOUSE_URL=${warehouseUrl} CLICKHOUSE_DATABASE=${DEMO_WORLD_DATABASE}\n`,
  )
  if (process.stdin.isTTY) {
    output.write(`Now you. Try one of these; an indented one goes on from the one above it:\n${listed(others)}\n`)
    await new ChatSession({ ...parts, input: process.stdin, output, view }).run(signal)
    return
  }
  await new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
