// Asks for the pipelines of cases.yaml as their authors would, registers and runs what comes out, and compares the target with gold:
//   node bench/run-ts.mjs evals/drafts/run.mjs [--parallel 2] [--only s01,t03] [--out .clew/evals/drafts] [--rescore]
// The model comes from OPENAI_BASE_URL and so on. Each case gets an embedded engine of its own. `--rescore` judges what is in the folder and asks nothing.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CronExpressionParser } from 'cron-parser'
import { parse } from 'yaml'
import { createLogger } from '../../src/base/logger.ts'
import { openWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import { compareResults } from '../../src/evals/compare-results.ts'
import { loadEvalWorld } from '../../src/evals/world.ts'
import { startEmbeddedRedis } from '../../src/store/redis/embedded-redis.ts'
import { runClew } from '../../test/support/run-clew.ts'

const { values: options } = parseArgs({
  options: {
    parallel: { type: 'string', default: '2' },
    only: { type: 'string' },
    out: { type: 'string', default: '.clew/evals/drafts' },
    rescore: { type: 'boolean' },
  },
})
const here = name => fileURLToPath(new URL(name, import.meta.url))
const { views, cases: allCases } = parse(readFileSync(here('cases.yaml'), 'utf8'))
const wanted = options.only?.split(',')
const folder = resolve(options.out)
const fileOf = id => join(folder, `${id}.json`)
const cases = allCases.filter(({ id }) => (wanted?.includes(id) ?? true) && (!options.rescore || existsSync(fileOf(id))))
const DATABASES = { logs: 'ops' }
const signal = new AbortController().signal
const logger = createLogger({ level: 'silent' })
mkdirSync(folder, { recursive: true })

/** Opens an engine with the tables of a world. */
async function openWorld(world, url) {
  const warehouse = await openWarehouse({ url, database: 'system', maxBytes: 100_000_000, timeoutMs: 120_000, logger }, signal)
  await loadEvalWorld(here(`../${world}`), [], warehouse, signal)
  return warehouse
}

/** Runs the gold queries of the cases. Returns the results by the id of the case. */
async function readGold() {
  const gold = {}
  for (const world of new Set(cases.map(each => each.world))) {
    const warehouse = await openWorld(world, 'chdb:memory')
    await warehouse.write({ sql: 'CREATE DATABASE g' }, signal)
    for (const [name, sql] of Object.entries(views[world]))
      await warehouse.write({ sql: `CREATE VIEW g.${name} AS ${sql}` }, signal)
    for (const each of cases.filter(one => one.world === world && one.gold !== undefined)) {
      gold[each.id] = await Promise.all([each.gold].flat().map(sql => warehouse.readOwn({ sql }, signal)))
    }
    await warehouse.close()
  }
  return gold
}

const isAskedBack = ({ interrupt }) => interrupt !== null && interrupt !== undefined && interrupt.kind !== 'need_confirm'

/** Says what the person of a case would say, until the draft is confirmed. Returns each message with its result. */
async function converse({ request, revision, asked, says }, ask) {
  const turns = []
  const say = async text => {
    turns.push({ said: text, ...(await ask(text)) })
    return turns.at(-1).result
  }
  const waiting = [request, ...(revision === undefined ? [] : [revision])]
  let reply = asked
  for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
    const result = await say(text)
    if (isAskedBack(result) && reply !== undefined) {
      waiting.unshift(reply)
      reply = undefined
    } else if (isAskedBack(result) || !result.draft?.valid) return turns
  }
  if (says === undefined && turns.at(-1).result.interrupt) await say('yes')
  return turns
}

/** Runs one case, and keeps what was said, the definition, how its job went, and the rows of its target. */
async function runCase(each, redisUrl) {
  const engine = join(folder, 'engines', each.id)
  rmSync(engine, { recursive: true, force: true })
  mkdirSync(engine, { recursive: true })
  const warehouse = await openWorld(each.world, `chdb:${engine}`)
  const env = {
    ...process.env,
    CLICKHOUSE_URL: `chdb:${engine}`,
    CLICKHOUSE_DATABASE: DATABASES[each.world] ?? each.world,
    REDIS_URL: redisUrl,
  }
  const thread = `${each.id}-${Date.now()}`
  const started = Date.now()
  const ask = async text => {
    const { output, errors } = await runClew(['ask', '--json', '--thread', thread, text], env)
    try {
      return { result: JSON.parse(output), errors }
    } catch {
      return { result: { error: { kind: 'no_json', message: errors.slice(-500) } } }
    }
  }
  await runClew(['migrate'], env)
  const turns = await converse(each, ask)
  const { draft, interrupt } = turns.at(-1).result
  const kept = {
    id: each.id,
    turns,
    definition: draft?.valid && interrupt === null ? draft.definition : null,
    ms: Date.now() - started,
  }
  if (kept.definition !== null) {
    const file = join(folder, `${each.id}.yaml`)
    writeFileSync(file, kept.definition)
    kept.registered = await runClew(['jobs', 'register', file], env)
    if (kept.registered.status === 0) {
      const { name, target } = parse(kept.definition)
      kept.ran = await runClew(['jobs', 'run', name, '--kwargs', JSON.stringify(each.kwargs ?? {})], env)
      if (kept.ran.status === 0) kept.rows = await warehouse.readOwn({ sql: `SELECT * FROM pipelines.${target.table}` }, signal)
    }
  }
  await warehouse.close()
  writeFileSync(fileOf(each.id), `${JSON.stringify(kept, null, 1)}\n`)
  return kept
}

/** Returns the next moments of a schedule, over two months at least where it is a daily one. */
function momentsOf(cron, tz) {
  const schedule = CronExpressionParser.parse(cron, { tz, currentDate: '2026-03-01T00:00:00Z' })
  return Array.from({ length: 60 }, () => schedule.next().getTime()).join()
}

function scheduleMiss({ schedule: right }, { schedule, time_zone: zone = 'UTC' }) {
  if (right === null) return schedule === undefined ? '' : `schedule ${schedule}, though nobody asked for one`
  if (schedule === undefined) return 'no schedule'
  return momentsOf(schedule, zone) === momentsOf(...right) ? '' : `schedule ${schedule} ${zone}, gold ${right.join(' ')}`
}

/** Returns why a case is wrong, or an empty text. */
function reasonOf(each, { turns, definition: yaml, registered, ran, rows }, gold) {
  const { result } = turns.at(-1)
  if (result.error) return `${result.error.kind}: ${result.error.message}`
  if (each.says !== undefined) {
    if (turns.some(turn => turn.result.draft)) return 'drafted, though the data are not there'
    return new RegExp(each.says, 'i').test(`${result.answer} ${result.interrupt?.question}`) ? '' : 'does not say what is missing'
  }
  if (isAskedBack(result)) return `asked back: ${result.interrupt.question}`
  if (yaml === null)
    return `no definition after ${JSON.stringify(turns.at(-1).said.slice(0, 40))} (${result.intent}): ${result.answer}`
  if (registered.status !== 0) return `not registered: ${registered.errors}`
  if (ran.status !== 0) return `the job failed: ${ran.errors}${ran.output}`
  const definition = parse(yaml)
  const { table } = definition.target
  if (table !== (each.target ?? table)) return `the target is ${table}, not ${each.target}`
  for (const [name, value] of Object.entries(each.arguments ?? {})) {
    const own = definition.arguments?.[name]
    if (String(own) !== String(value)) return `the argument ${name} is ${own}, not ${value}`
  }
  const wrongTime = scheduleMiss(each, definition)
  if (wrongTime !== '') return wrongTime
  const compared = gold.map(one => compareResults(rows, one, false))
  return compared.some(({ isEqual }) => isEqual) ? '' : `${compared[0].miss}: ${compared[0].detail}`
}

const gold = await readGold()
const redis = options.rescore
  ? undefined
  : await startEmbeddedRedis({ directory: join(folder, 'redis'), path: process.env.PATH, logger })
const verdicts = new Map()
const waiting = [...cases]
const work = async () => {
  for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
    const kept = options.rescore ? JSON.parse(readFileSync(fileOf(each.id), 'utf8')) : await runCase(each, redis.url)
    const reason = reasonOf(each, kept, gold[each.id])
    const warnings = kept.turns.at(-1).result.draft?.warnings?.length ?? 0
    verdicts.set(each.id, { id: each.id, right: reason === '', turns: kept.turns.length, warnings, ms: kept.ms, reason })
    if (!options.rescore) console.error(`${verdicts.size}/${cases.length} ${each.id} ${reason || 'right'}`)
  }
}
await Promise.all(Array.from({ length: Number(options.parallel) }, work))
await redis?.close()
const all = cases.flatMap(({ id }) => verdicts.get(id) ?? [])
const print = cells => console.log(cells.map((cell, index) => String(cell).padEnd([4, 6, 6, 9, 7, 0][index])).join(' '))
print(['id', 'right', 'turns', 'warnings', 's', 'why'])
for (const { id, right, turns, warnings, ms, reason } of all)
  print([id, right ? 'yes' : 'NO', turns, warnings, (ms / 1000).toFixed(1), reason])
console.log(`${all.filter(({ right }) => right).length} of ${all.length} right`)
writeFileSync(join(folder, 'verdicts.json'), `${JSON.stringify(all, null, 1)}\n`)
