import type { ModelScript, ScriptedCall } from '../emulators/model/model-script.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../emulators/model/scripted-model.ts'
import { type SlackEmulator, startSlackEmulator } from '../emulators/slack/slack-emulator.ts'
import type { ShownMessage } from '../emulators/slack/transcript.ts'
import { type ClewProcess, startClew } from './clew-process.ts'
import { startTestEngine, type TestEngine } from './engine.ts'
import { startTestRedis, type TestRedis } from './redis.ts'
import { type ScriptedQuestion, scriptedAnalyst } from './scripted-analyst.ts'
import { TEST_STATE_KEY } from './state-key.ts'
import { loadThinDemoWorld } from './thin-demo-world.ts'

/** The whole environment of Clew: a Slack workspace, Redis, a warehouse with demo data, and a scripted model. */
export interface ClewWorld {
  readonly slack: SlackEmulator
  readonly redis: TestRedis
  readonly engine: TestEngine
  readonly model: ScriptedModel
  /** The environment variables for `clew` processes. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Replaces a step's answer, for example by a script that waits for a gate. Where it returns undefined, the script book answers.
   */
  intercept(script: ((call: ScriptedCall) => ModelScript | undefined) | undefined): void
  /** @param cli the program to run; default: the one of this version */
  startBots(env?: Readonly<Record<string, string>>, cli?: string): Promise<ClewProcess>
  startWorker(env?: Readonly<Record<string, string>>, cli?: string): Promise<ClewProcess>
  /** Returns the messages of Clew in the thread of this message. */
  replies(message: { readonly channel: string; readonly ts: string }): readonly ShownMessage[]
  close(): Promise<void>
}

/**
 * Starts the whole environment. Rate limits do not apply, because other tests cover them.
 * @param people who can ask besides `alice` and `bob`, by their names
 */
export async function startClewWorld(
  book: Readonly<Record<string, ScriptedQuestion>>,
  people: readonly string[] = [],
): Promise<ClewWorld> {
  const analyst = scriptedAnalyst(book)
  let interception: ((call: ScriptedCall) => ModelScript | undefined) | undefined
  const [slack, redis, engine, model] = await Promise.all([
    startSlackEmulator({
      rateLimits: 'relaxed',
      users: people.map(name => ({ name })),
      channels: [{ name: 'data', members: ['alice', 'bob', ...people, 'clew'] }],
    }),
    startTestRedis(),
    startTestEngine({ database: 'network' }),
    startScriptedModel({ onRequest: call => interception?.(call) ?? answer(analyst(call)) }),
  ])
  await loadThinDemoWorld(engine.warehouse, AbortSignal.timeout(60_000))
  const processes: ClewProcess[] = []
  const start = async (command: string, ready: string, own: Readonly<Record<string, string>> = {}, cli?: string) => {
    const started = await startClew(command, ready, { ...env, ...own }, { cli })
    processes.push(started)
    return started
  }
  const env = {
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_DATABASE: 'network',
    REDIS_URL: redis.url,
    CLEW_STATE_KEY: TEST_STATE_KEY,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'scripted',
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
  }
  return {
    slack,
    redis,
    engine,
    model,
    env,
    intercept: script => {
      interception = script
    },
    startBots: (own, cli) => start('bots', 'connected', own, cli),
    startWorker: (own, cli) => start('worker', 'worker started', own, cli),
    replies: message =>
      slack.transcript(message.channel, { thread: message.ts }).filter(shown => shown.isFromBot && shown.threadTs === message.ts),
    async close() {
      await Promise.all(processes.map(each => each.stop()))
      await Promise.all([slack.close(), redis.close(), engine.close(), model.close()])
    },
  }
}
