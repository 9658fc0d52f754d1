import { existsSync } from 'node:fs'
import { checkAccess } from '../../access/check-access.ts'
import { type CheckResult, type Report, runCheck } from '../../base/check.ts'
import { errorMessage } from '../../base/errors.ts'
import type { PlatformEntry } from '../../bots/shared/platform-entry.ts'
import { type TerminalStyle, terminalStyle } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { checkWarehouse } from '../../clickhouse/check-warehouse.ts'
import { findChdb } from '../../clickhouse/engine/chdb-native.ts'
import { embeddedDirectory } from '../../clickhouse/open-warehouse.ts'
import { loadDomainPack } from '../../domain/pack.ts'
import { checkModel } from '../../llm/check-model.ts'
import { Prompts } from '../../llm/prompts.ts'
import { checkPostgres } from '../../postgres/check-postgres.ts'
import { PostgresConnections } from '../../postgres/connection.ts'
import { SOURCE_KINDS } from '../../sources/kinds.ts'
import type { SourceConfig } from '../../sources/source.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { findOnPath } from '../../store/redis/binary.ts'
import { checkRedis } from '../../store/redis/check-redis.ts'
import { checkPort } from '../../telemetry/check-port.ts'
import { DOCTOR_LIMITS } from '../limits.ts'
import { PROMPTS_DIRECTORY, warehouseUrl } from '../parts.ts'
import { reachWriter, wirePipelines } from '../pipelines.ts'
import { openSource } from '../sources.ts'
import { type CommandContext, EXIT } from './command-context.ts'
import { unknownVariables } from './unknown-variables.ts'

/** The environment of the process. Its PATH is searched for the programs of the embedded parts. */
type Environment = Readonly<Record<string, string | undefined>>

interface PartCheck {
  readonly part: string
  readonly timeoutMs: number
  /** The advice in the report if the check itself fails or times out. */
  readonly advice: string
  run(report: Report, signal: AbortSignal): Promise<void>
}

/** `clew doctor`: checks all external parts and gives advice. If a check fails, the exit code is 1. */
export async function doctorCommand(context: CommandContext, options: { readonly json: boolean }): Promise<number> {
  const { output } = context
  const results = await checkParts(context, process.env)
  const ok = results.every(result => result.state !== 'failed')
  const style = terminalStyle(output.isTTY && output.hasColors())
  const count = (state: CheckResult['state']) => results.filter(result => result.state === state).length
  const sum = `${count('failed')} failed, ${count('warning')} to look at, ${count('ok')} fine, ${count('not_configured')} not set`
  output.write(options.json ? `${JSON.stringify({ ok, checks: results })}\n` : `${resultLines(results, style)}\n\n${sum}\n`)
  return ok ? EXIT.answered : EXIT.failed
}

/**
 * Runs the checks of all parts at the same time.
 * @param only the part to check, if not all
 */
export async function checkParts(context: CommandContext, env: Environment, only?: string): Promise<readonly CheckResult[]> {
  const { config, signal } = context
  const parts = partChecks(context, env).filter(({ part }) => only === undefined || part === only)
  const found = await Promise.all(parts.map(part => runCheck(part, (report, ended) => part.run(report, ended), signal)))
  return found.flat().map(result => withoutSecrets(result, config.secrets))
}

function sourceCheck(context: CommandContext, source: SourceConfig): PartCheck {
  const { id, urlVariable, databases } = source
  const advice = `Correct ${urlVariable}, or the databases of ${id} in CLEW_SOURCES_FILE.`
  return {
    part: `source ${id}`,
    timeoutMs: DOCTOR_LIMITS.warehouseMs,
    advice,
    run: {
      clickhouse: async (report: Report, signal: AbortSignal) => {
        const { schemaSource } = openSource(context, createMemoryStateStore({ now: Date.now }), source)
        const { tables } = await schemaSource.load(signal)
        const found = `${tables.length} tables in ${databases.join(', ')}`
        if (tables.length === 0) report({ check: 'tables', state: 'warning', found, advice })
        else report({ check: 'tables', state: 'ok', found })
      },
      postgres: (report: Report, signal: AbortSignal) => checkPostgresSource(source, report, signal),
    }[source.kind],
  }
}

async function checkPostgresSource(
  { url, databases: schemas }: SourceConfig,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const connections = new PostgresConnections(url)
  try {
    await checkPostgres({ connections, schemas }, report, signal)
  } finally {
    await connections.close()
  }
}

function partChecks(context: CommandContext, env: Environment): readonly PartCheck[] {
  const { config, logger } = context
  const url = warehouseUrl(config)
  const { warehouse, redis, model } = config
  const path = env.PATH ?? ''
  return [
    {
      part: 'environment',
      timeoutMs: DOCTOR_LIMITS.environmentMs,
      advice: 'Correct the variables.',
      run: async report => {
        for (const found of unknownVariables(env, config.variables)) {
          const advice = 'Correct the name, or unset it. docs/configuration.md lists every variable.'
          report({ check: 'variables', state: 'warning', found, advice })
        }
        // A question over several sources would be the first to say so.
        if (config.sources !== undefined) findChdb()
      },
    },
    {
      part: 'warehouse',
      timeoutMs: DOCTOR_LIMITS.warehouseMs,
      advice: adviceForWarehouse(url),
      run: async (report, signal) => {
        if (url !== undefined) return checkWarehouse({ ...warehouse, url, logger }, report, signal)
        const advice = 'Set CLICKHOUSE_URL to http(s)://user:password@host:8123, or load files: `clew load FILE…`.'
        report({ check: 'configuration', state: 'not_configured', found: 'no ClickHouse to ask', advice })
      },
    },
    ...(config.sources ?? [])
      .filter(({ isDefault, kind }) => !(isDefault && SOURCE_KINDS[kind].hasPipelines))
      .map(source => sourceCheck(context, source)),
    {
      part: 'redis',
      timeoutMs: DOCTOR_LIMITS.redisMs,
      advice: 'Correct REDIS_URL.',
      run: async (report, signal) => {
        const { url, requireAppendOnly } = redis
        if (url !== undefined) {
          return checkRedis({ url, requireAppendOnly, startTimeoutMs: DOCTOR_LIMITS.redisStartMs, logger }, report, signal)
        }
        // Debian's package redis-tools contains the Redis server under the name redis-check-rdb.
        const binary = (await findOnPath('redis-server', path)) ?? (await findOnPath('redis-check-rdb', path))
        const own = binary === undefined ? 'the demo would have to install one' : 'the demo runs its own'
        const advice =
          'Set REDIS_URL to redis://host:6379 for `clew bots` and `clew worker`, and for the commands that look at their runs (`trace`, `feedback`, `domain proposals`). Other commands need none.'
        report({ check: 'configuration', state: 'not_configured', found: `no Redis; ${own}`, advice })
      },
    },
    {
      part: 'model',
      timeoutMs: DOCTOR_LIMITS.modelMs,
      advice: 'Correct OPENAI_BASE_URL.',
      run: async (report, signal) => {
        if (model !== undefined) {
          const { baseUrl, perStep, timeoutMs } = model
          const own = { ...(baseUrl === undefined ? {} : { baseUrl }), models: perStep, logger }
          return checkModel({ apiKey: model.apiKey, model: model.model, timeoutMs, ...own }, report, signal)
        }
        const advice = 'Set OPENAI_API_KEY and OPENAI_MODEL, and OPENAI_BASE_URL for another OpenAI-compatible endpoint.'
        report({ check: 'configuration', state: 'not_configured', found: 'no model to ask', advice })
      },
    },
    ...config.chat.platforms.map(entry => platformCheck(entry, context)),
    {
      part: 'files',
      timeoutMs: DOCTOR_LIMITS.filesMs,
      advice: 'Check that their disk answers.',
      run: report => checkFiles(config, report),
    },
    {
      part: 'access',
      timeoutMs: DOCTOR_LIMITS.accessMs,
      advice: 'Correct the file that CLEW_ACCESS_FILE names.',
      run: async (report, signal) => {
        const { platforms, configured } = config.chat
        const each = Object.entries(configured).map(
          async ([name, platform]) => [name, await platform.people({ timeoutMs: DOCTOR_LIMITS.requestMs, logger })] as const,
        )
        const people = Object.fromEntries(await Promise.all(each))
        const { url, databases, maxBytes } = warehouse
        const {
          access: { file },
          sources,
        } = config
        return checkAccess({ file, platforms, sources, url, databases, maxBytes, people, logger }, report, signal)
      },
    },
    ...(config.pipelines.writerUrl === undefined ? [] : [pipelinesCheck(context)]),
    {
      part: 'health',
      timeoutMs: DOCTOR_LIMITS.healthMs,
      advice: 'Set PORT to a free one.',
      run: (report, signal) => checkPort(config.port, report, signal),
    },
  ]
}

function adviceForWarehouse(url = ''): string {
  const folder = embeddedDirectory(url)
  if (folder === undefined || folder === 'memory' || !existsSync(folder)) return 'Correct CLICKHOUSE_URL.'
  return `Make ${folder} a folder that this user may write (mkdir, chown, chmod), or name another folder or a server in CLICKHOUSE_URL.`
}

function platformCheck({ name, title, needs, apiVariable }: PlatformEntry, { config, logger }: CommandContext): PartCheck {
  const platform = config.chat.configured[name]
  return {
    part: name,
    timeoutMs: DOCTOR_LIMITS.platformMs,
    advice: `Correct ${apiVariable}.`,
    run: async (report, signal) => {
      if (platform !== undefined) return platform.check({ timeoutMs: DOCTOR_LIMITS.requestMs, logger }, report, signal)
      const advice = `Set ${needs}; docs/${name}.md tells how to get them.`
      report({ check: 'configuration', state: 'not_configured', found: `${title} is not connected`, advice })
    },
  }
}

/**
 * Returns the check of the pipelines' warehouse. Without CLEW_WRITER_URL it is skipped, because pipelines then use the warehouse
 * of CLICKHOUSE_URL, which another check covers.
 */
function pipelinesCheck(context: CommandContext): PartCheck {
  return {
    part: 'pipelines',
    timeoutMs: DOCTOR_LIMITS.pipelinesMs,
    advice: 'Correct CLEW_WRITER_URL; docs/pipelines.md tells what its user needs.',
    run: async (report, signal) => {
      const { pipelines } = wirePipelines(context, await reachWriter(context, signal))
      const { length } = await pipelines.list(signal)
      const jobs = `${length} ${length === 1 ? 'job is' : 'jobs are'} registered`
      report({ check: 'writer', state: 'ok', found: `${context.config.pipelines.stateDatabase} answers, ${jobs}` })
    },
  }
}

async function checkFiles({ promptsDirectory, domainDirectory }: CommandContext['config'], report: Report): Promise<void> {
  await checkFolder('prompts', 'CLEW_PROMPTS_DIR', report, async () => {
    await Prompts.load(PROMPTS_DIRECTORY, promptsDirectory)
    return `complete, ${promptsDirectory === undefined ? 'as they ship' : `with those of ${promptsDirectory}`}`
  })
  if (domainDirectory === undefined) {
    const advice =
      'Set CLEW_DOMAIN_DIR to a folder with CATALOG.md, glossary.yaml, metrics.yaml or verified-queries.yaml (docs/domain.md): answers get better.'
    report({ check: 'domain pack', state: 'not_configured', found: 'Clew knows nothing of the data but its schema', advice })
    return
  }
  await checkFolder('domain pack', 'CLEW_DOMAIN_DIR', report, async () => {
    const { full } = await loadDomainPack(domainDirectory)
    return `${full.length} characters from ${domainDirectory}`
  })
}

/** Loads a folder, such as that of the prompts, and reports the result on a line of its own. */
async function checkFolder(check: string, variable: string, report: Report, load: () => Promise<string>): Promise<void> {
  try {
    report({ check, state: 'ok', found: await load() })
  } catch (error) {
    report({ check, state: 'failed', found: errorMessage(error), advice: `Correct what ${variable} names, or unset it.` })
  }
}

/**
 * Removes secrets, because an error message of a server may quote them. Short secrets stay: for an endpoint that needs no key,
 * the key is often a text such as `x`, and removing every `x` would break words.
 */
function withoutSecrets(result: CheckResult, secrets: readonly string[]): CheckResult {
  const long = secrets.filter(secret => secret.length >= DOCTOR_LIMITS.secretCharacters)
  const clean = (text: string) => long.reduce((cleaned, secret) => cleaned.replaceAll(secret, '[redacted]'), text)
  const { advice } = result
  return { ...result, found: clean(result.found), ...(advice === undefined ? {} : { advice: clean(advice) }) }
}

const STATES = {
  ok: { word: 'ok', format: 'green' },
  warning: { word: 'warning', format: 'yellow' },
  failed: { word: 'failed', format: 'red' },
  not_configured: { word: 'not set', format: 'dim' },
} as const

/** Returns a line for each result, with its advice below. */
export function resultLines(results: readonly CheckResult[], style: TerminalStyle): string {
  const width = Math.max(...results.map(result => result.part.length))
  const lines = results.flatMap(({ part, check, state, found, advice }) => {
    const { word, format } = STATES[state]
    const indent = ' '.repeat(width + 11)
    // A check may find several mistakes and write each on a line.
    const [first = '', ...others] = terminalText(`${check}: ${found}`).split('\n').map(oneLine)
    const line = `${style(format, word.padEnd(7))}  ${part.padEnd(width)}  ${first}`
    const below = advice === undefined ? others : [...others, `→ ${oneLine(advice)}`]
    return [line, ...below.map(text => `${indent}${text}`)]
  })
  return lines.join('\n')
}

function oneLine(text: string): string {
  return terminalText(text).replace(/\s+/g, ' ').trim()
}
