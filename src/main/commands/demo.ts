import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Analyst, Question } from '../../agent/analyst.ts'
import { OpenQuestions } from '../../agent/ask-back/open-questions.ts'
import { observedAnalyst } from '../../agent/observed-analyst.ts'
import { newRunId } from '../../agent/run/id.ts'
import { packageFile } from '../../base/package-files.ts'
import { answerView, sourcesView } from '../../bots/terminal/answer-view.ts'
import { ChatSession, type ChatSessionOptions } from '../../bots/terminal/chat-session.ts'
import { TerminalProgress } from '../../bots/terminal/progress.ts'
import type { View } from '../../bots/terminal/style.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { DEMO_WORLD_DATABASE } from '../../clickhouse/demo/world.ts'
import { createSqlFormatter } from '../../clickhouse/sql-formatter.ts'
import { analystWithinCaps } from '../../queue/usage/within-caps.ts'
import { startEmbeddedRedis } from '../../store/redis/embedded-redis.ts'
import { createRedisStateStore } from '../../store/redis/state-store.ts'
import { startHealthServer } from '../../telemetry/health-server.ts'
import { assemble } from '../assemble.ts'
import { wireAudit } from '../audit.ts'
import { wireCaps } from '../caps.ts'
import { modelWithContent, wireRunList } from '../console.ts'
import { startDemoConsole } from '../demo/console.ts'
import { DEMO_SOURCES_FILE } from '../demo/crm.ts'
import { DemoData } from '../demo/data.ts'
import { CRM_AWAY, chooseModel, firstQuestions, listed, readSamples, recordingModel, type Sample } from '../demo/samples.ts'
import { wireWarehouse } from '../parts.ts'
import { observing, wireRedis } from '../store.ts'
import { TERMINAL_PERSON } from '../terminal-person.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

interface DemoOptions {
  /** Whether the demo ends after the sample conversation. */
  readonly once: boolean
  /**
   * Whether to ask the configured model the sample questions and record its answers: all of them, or those of these threads
   * (conversations). A demo without a model uses these recordings.
   */
  readonly record?: true | readonly string[]
}

/** An installed package may be owned by root, so only a checkout keeps the demo's data in its own folder. */
const DATA = existsSync(packageFile('src')) ? packageFile('.clew') : join(homedir(), '.clew', 'demo')

/** The tag of the questions that the demo itself asks. All other questions are only suggested. */
const SHOWN = 'demo'
/** The tag of questions whose answers show the sources of their figures. */
const SOURCES = 'sources'
/** The tag of questions for which the model asks whether to run a job again (a replay). */
const REPLAYED = 'replay'

/**
 * Returns the environment of the demo. For each part that is not configured, the demo uses its own. A CLICKHOUSE_URL of a server is ignored,
 * so that no real server gets demo data.
 */
export function demoEnvironment(): NodeJS.ProcessEnv {
  const { CLICKHOUSE_URL: url } = process.env
  return {
    ...process.env,
    CLICKHOUSE_URL: url?.startsWith('chdb:') ? url : `chdb:${join(DATA, 'clickhouse')}`,
    CLICKHOUSE_DATABASE: DEMO_WORLD_DATABASE,
    CLEW_WRITER_URL: '',
    CLEW_SOURCES_FILE: '',
    CLEW_DOMAIN_DIR: process.env.CLEW_DOMAIN_DIR || packageFile('demo', 'domain'),
    // The console of the demo shows everything, to whoever has its link.
    CLEW_ACCESS_FILE: '',
    CLEW_CONSOLE_URL: '',
    CLEW_TRACE_CONTENT: process.env.CLEW_TRACE_CONTENT || '1',
  }
}

/** `clew demo`: a sample conversation over generated data, then one with the person. */
export async function demoCommand(context: CommandContext, { once, record: recorded }: DemoOptions): Promise<number> {
  const record = recorded !== undefined
  const threads = recorded === true || recorded === undefined ? [] : recorded
  const { output, signal, resources, logger } = context
  const view = viewOf(output)
  const say = (text: string) => output.write(`${text}\n`)

  say(view.style('bold', 'Clew, a data analyst for your chat. This is a demo on embedded Redis and ClickHouse.'))
  const isServed = !once && !record
  const listen = (port: number) => startHealthServer({ port, host: '127.0.0.1', checks: {}, logger })
  // A port that is taken must not end a demo. The link tells the port.
  const server = isServed ? await listen(context.config.port).catch(() => listen(0)) : undefined
  if (server !== undefined) resources.add('health server', server, opened => opened.close())
  const redisUrl = context.config.redis.url ?? (await startRedis(context))
  // The recorded answers must be used in the recorded order. So no step may start ahead of time.
  const speculation = context.config.speculation && context.config.model !== undefined && !record
  const redisConfig = { ...context.config.redis, url: redisUrl }
  const port = server?.port ?? context.config.port
  const own = { ...context, config: { ...context.config, port, speculation, redis: redisConfig } }
  // The audit log of the command was wired before there was a Redis.
  if (context.config.redis.url === undefined) wireAudit(own)
  const data = await DemoData.open(own, await wireWarehouse(own, signal, { createsFolder: true }), say, signal)
  const { crm } = data
  const config = { ...own.config, ...(crm && { sources: crm.sources(own.config.warehouse.url) }) }
  const wiring = { ...own, config }
  // What it reads counts under the name that its source has now.
  const warehouse = await wireWarehouse(wiring, signal)

  const samples = await readSamples({ hasCrm: crm !== undefined })
  const examples = firstQuestions(samples)
  const chosen = record ? await recordingModel(wiring, threads.length === 0) : await chooseModel(wiring, examples, say)
  const redis = await wireRedis(wiring, 'worker', signal)
  const store = createRedisStateStore(redis)
  const model = modelWithContent(wiring, store, chosen)
  const parts = { warehouse, store, model, tell: (sentence: string) => tell(context, sentence) }
  const { analyst: unlisted, opened } = await assemble(wiring, parts, signal)
  const list = wireRunList(wiring, redis)
  const caps = wireCaps(wiring, redis)
  const watching = { person: TERMINAL_PERSON, place: { platform: 'terminal', channel: '' }, now: Date.now, ...observing(wiring) }
  const wired = observedAnalyst(list.listed(analystWithinCaps(caps, unlisted)), watching)

  const refreshed = (asked: Pick<Analyst, 'ask'>) => async (question: Question, own: AbortSignal) => {
    await data.refresh(record, own)
    return asked.ask(question, own)
  }
  const analyst = { ask: refreshed(wired) }
  const isAsked = ({ tags, thread }: Sample) => (record ? threads.length === 0 || threads.includes(thread) : tags.includes(SHOWN))
  for (const sample of samples.filter(isAsked)) {
    // The next steps of the model depend on whether the person accepts or refuses the replay. So both decisions are recorded.
    const decisions = record && sample.tags.includes(REPLAYED) ? ['replay', 'answer'] : ['replay']
    for (const decision of decisions) {
      if (crm !== undefined && sample.tags.includes(CRM_AWAY)) {
        await data.refresh(record, signal)
        say(`\n${view.style('dim', 'For the next question, the demo switches the Postgres off.')}`)
        await crm.whileAway(() => converse(wired, sample, decision, context, view))
      } else if (!(await converse(analyst, sample, decision, context, view))) return EXIT.failed
    }
  }
  if (server === undefined) return EXIT.answered

  const fresh = { ask: refreshed(unlisted) }
  const link = await startDemoConsole(wiring, {
    server,
    redis,
    caps,
    analyst: fresh,
    list,
    opened,
    examples,
  })
  say(`\nThe console shows these runs, and answers too. Sign in with ${link}`)
  await serve(
    { analyst, questions: new OpenQuestions({ store, now: Date.now }), formatSql: createSqlFormatter(warehouse) },
    context,
    view,
    samples,
    {
      CLICKHOUSE_URL: config.warehouse.url,
      CLICKHOUSE_DATABASE: DEMO_WORLD_DATABASE,
      CLEW_DOMAIN_DIR: config.domainDirectory,
      // The URL is printed only for the demo's own Redis. The operator's REDIS_URL may contain a password.
      ...(context.config.redis.url === undefined && { REDIS_URL: redisUrl }),
      ...(crm && { CLEW_SOURCES_FILE: DEMO_SOURCES_FILE, CRM_URL: crm.url }),
    },
  )
  return EXIT.answered
}

async function startRedis({ resources, logger }: CommandContext): Promise<string> {
  const redis = await startEmbeddedRedis({ directory: join(DATA, 'redis'), path: process.env.PATH ?? '', logger })
  return resources.add('embedded redis', redis, opened => opened.close()).url
}

/**
 * Asks one sample question and shows the answer.
 * @returns whether all queries succeeded
 */
async function converse(
  analyst: Pick<Analyst, 'ask'>,
  sample: Sample,
  decision: string,
  context: CommandContext,
  view: View,
): Promise<boolean> {
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
        askPerson: async () => decision,
        ...(errorOutput.isTTY ? { observe: event => progress.observe(event) } : {}),
      },
      signal,
    )
    .finally(() => progress.clear())
  output.write(`${answerView(result, view)}\n${view.style('dim', `${result.run_id}, ${Date.now() - started} ms`)}\n`)
  if (sample.tags.includes(SOURCES))
    output.write(`\n${view.style('bold', '› /sources')}\n${sourcesView(result.figures, view, result.language)}\n`)
  await afterwards(signal)
  const failed = result.queries.filter(query => query.error !== null)
  // The answer itself tells what is missing while the crm is away.
  for (const query of sample.tags.includes(CRM_AWAY) ? [] : failed) errorOutput.write(`${query.id} failed: ${query.error}\n`)
  return failed.length === 0
}

/** Runs until it is stopped: as a conversation at a terminal, otherwise as a server. */
async function serve(
  parts: Pick<ChatSessionOptions, 'analyst' | 'questions' | 'formatSql'>,
  context: CommandContext,
  view: View,
  samples: readonly Sample[],
  /** The variables that let other commands use the data and the runs of this demo. */
  variables: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { output, signal } = context
  // The demo suggests whole conversations from their beginning, because a follow-up was recorded after the question before it.
  const unshown = new Set(samples.filter(({ tags }) => !tags.includes(SHOWN)).map(({ thread }) => thread))
  const others = samples.filter(({ thread }) => unshown.has(thread))
  const exported = Object.entries(variables).map(
    ([name, value = '']) => `${name}=${/^[\w:/@.+-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`}`,
  )
  output.write(`\nThe demo goes on until you stop it. Other commands reach its data and runs by\nexport ${exported.join(' ')}\n`)
  if (context.config.model === undefined)
    output.write('Those that ask a model, such as `clew ask`, need one of their own: the recordings answer in this demo only.\n')
  if (process.stdin.isTTY) {
    output.write(`Now you. Try one of these; an indented one goes on from the one above it:\n${listed(others)}\n`)
    await new ChatSession({ ...parts, input: process.stdin, output, view, language: 'en' }).run(signal)
    return
  }
  output.write('The input is no terminal, so there is no conversation here; the console has one.\n')
  await new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
