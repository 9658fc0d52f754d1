import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCheckpoints } from '../../src/history/run-log-entry.ts'
import { createRedisStateStore } from '../../src/store/redis/state-store.ts'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import type { ShownMessage } from '../emulators/slack/transcript.ts'
import type { ClewProcess } from './clew-process.ts'
import { type ClewWorld, startClewWorld } from './clew-world.ts'
import { type PostgresServer, runSql, startPostgres } from './postgres.ts'
import { runClew } from './run-clew.ts'

export const SURFACES = ['Slack', 'Discord', 'the terminal'] as const

/** Clew with two sources, of which only people of finance may use the second: alice may, and bob may not. */
export interface TwoSources extends Pick<ClewWorld, 'engine' | 'intercept' | 'model' | 'slack'> {
  readonly postgres: PostgresServer
  /** Asks a question, and returns the answer as its reader sees it, once it has this text. */
  ask(surface: (typeof SURFACES)[number], as: 'alice' | 'bob', question: string, text: string): Promise<string>
  /** Returns the messages of Clew that this person sees in Slack. */
  shown(as: string): readonly ShownMessage[]
  /** Returns the number of recorded scans of each run. */
  scansOfRuns(): Promise<ReadonlyMap<string, number>>
  startWorker(): Promise<ClewProcess>
  close(): Promise<void>
}

const SOURCES = `sources:
  telemetry: {url: $CLICKHOUSE_URL, databases: [network], description: "Usage of customers in gigabytes"}
  crm: {url: $CRM_URL, schemas: [shop], description: "Contracts, fees and invoices of customers", roles: [finance]}
`
const IN_CLICKHOUSE = [
  'CREATE TABLE network.usage (code String, gigabytes UInt32) ENGINE = MergeTree ORDER BY code',
  "INSERT INTO network.usage VALUES ('c1', 10), ('c1', 20), ('c2', 5), ('c3', 8), ('c9', 7)",
  'CREATE TABLE network.packets (code String, bytes UInt32) ENGINE = MergeTree ORDER BY code',
  "INSERT INTO network.packets SELECT concat('c', toString(number)), number FROM numbers(100001)",
]
const IN_POSTGRES = `CREATE EXTENSION pg_stat_statements;
  CREATE SCHEMA shop;
  COMMENT ON SCHEMA shop IS 'zqcontracts';
  CREATE TABLE shop.contracts (code text PRIMARY KEY, account text, fee numeric(18, 2));
  CREATE TABLE shop.invoices (code text, amount numeric(18, 2));
  INSERT INTO shop.contracts VALUES ('c1', 'C-0001', 60), ('c2', 'C-0002', 20), ('c3', 'C-0003', 16), ('c4', 'C-0004', 10), ('c5', 'C-0005', 10);
  INSERT INTO shop.invoices VALUES ('c1', 30), ('c1', 30), ('c2', 20);
  GRANT USAGE ON SCHEMA shop TO clew_reader;
  GRANT SELECT ON ALL TABLES IN SCHEMA shop TO clew_reader`
const ANSWER_MS = 60_000

/** Starts both sources, Slack, Discord and the bots. A script plays the model. Workers are started apart, so that they can be killed. */
export async function startTwoSources(): Promise<TwoSources> {
  const [world, discord, postgres, folder] = await Promise.all([
    startClewWorld({}),
    startDiscordEmulator({ rateLimits: 'relaxed' }),
    startCountingPostgres(),
    mkdtemp(join(tmpdir(), 'clew-sources-')),
  ])
  const { engine, slack } = world
  const redis = await world.redis.connect()
  const never = new AbortController().signal
  for (const sql of IN_CLICKHOUSE) await engine.warehouse.write({ sql }, never)
  await runSql(postgres.adminUrl, IN_POSTGRES)
  const [sources, access] = [join(folder, 'sources.yaml'), join(folder, 'access.yaml')]
  await writeFile(sources, SOURCES)
  await writeFile(access, accessOf(world, discord))
  const env = {
    CLEW_SOURCES_FILE: sources,
    CLEW_ACCESS_FILE: access,
    CRM_URL: postgres.url,
    DISCORD_TOKEN: discord.botToken,
    DISCORD_APPLICATION_ID: discord.appId,
    DISCORD_API_URL: discord.apiUrl,
  }
  await world.startBots(env)
  await discord.waitFor(() => discord.gateway.connected() === 1)
  const shown = (as: string) => {
    const places = ['data', slack.user(as).directChannel()]
    return places.flatMap(place => slack.transcript(place, { as }).filter(({ isFromBot }) => isFromBot))
  }
  // A message that still shows progress has an ellipsis behind a space.
  const isAnswer = ({ plain }: { readonly plain: string }, text: string) => plain.includes(text) && !plain.includes(' …')
  const ways = {
    async Slack(as: string, question: string, text: string) {
      const before = new Set(shown(as).map(({ ts }) => ts))
      slack.user(as).post('data', `${slack.botMention} ${question}`)
      const find = () => shown(as).find(message => !before.has(message.ts) && isAnswer(message, text))
      return (await slack.waitFor(find, { timeoutMs: ANSWER_MS })).plain
    },
    async Discord(as: string, question: string, text: string) {
      const person = discord.user(as)
      const direct = person.directChannel().id
      const before = new Set(discord.transcript(direct, { as }).map(({ id }) => id))
      // The channel may hold people who may read less, so the answer comes to the asker alone.
      person.post('general', `${discord.botMention} ${question}`)
      const messages = () => discord.transcript(direct, { as }).filter(({ isFromBot, id }) => isFromBot && !before.has(id))
      const find = () => messages().find(message => isAnswer(message, text))
      return (await discord.waitFor(find, { timeoutMs: ANSWER_MS })).plain
    },
    async 'the terminal'(as: string, question: string) {
      const role = as === 'alice' ? 'finance' : 'engineer'
      const { output, errors } = await runClew(['ask', '--as', role, question], { ...world.env, ...env })
      return `${output}${errors}`
    },
  }
  return {
    ...world,
    postgres,
    ask: (surface, as, question, text) => ways[surface](as, question, text),
    shown,
    async scansOfRuns() {
      const keys = await redis.keys('clew:run:*:checkpoints')
      const runs = keys.map(key => key.slice('clew:run:{'.length, -'}:checkpoints'.length))
      const store = createRedisStateStore(redis)
      const scans = async (run: string) =>
        (await readCheckpoints(run, store, never)).filter(({ step }) => step === 'execute').length
      return new Map(await Promise.all(runs.map(async run => [run, await scans(run)] as const)))
    },
    startWorker: () => world.startWorker(env),
    async close() {
      await world.close()
      await Promise.all([discord.close(), postgres.stop(), rm(folder, { recursive: true, force: true })])
    },
  }
}

/** Starts a Postgres that counts its queries. */
async function startCountingPostgres(): Promise<PostgresServer> {
  const postgres = await startPostgres()
  await runSql(postgres.adminUrl, "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'")
  await postgres.restart()
  return postgres
}

function accessOf({ slack }: ClewWorld, discord: DiscordEmulator): string {
  const usersOf = (platform: { user(name: string): { readonly id: string } }) =>
    `{${platform.user('alice').id}: finance, ${platform.user('bob').id}: engineer}`
  return `version: 1
roles:
  finance: {tables: [network.*, crm/shop.*], publish: true}
  engineer: {tables: [network.*]}
workspaces:
  - {platform: slack, workspace: ${slack.teamId}, users: ${usersOf(slack)}}
  - {platform: discord, workspace: ${discord.guild.id}, users: ${usersOf(discord)}}
`
}
