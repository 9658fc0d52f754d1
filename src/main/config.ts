import { z } from 'zod'
import { ConfigurationError } from '../base/errors.ts'
import { type LinkHost, readLinkHost } from '../base/text/link-hosts.ts'
import { isTimeZone } from '../base/time-zone.ts'
import { address, blankAsAbsent, decoded, optionalText, parseBytes, patterned } from '../base/variables.ts'
import type { ConfiguredPlatform, PlatformEntry, PlatformValues } from '../bots/shared/platform-entry.ts'
import { readCapsFile } from '../queue/usage/cap.ts'
import { SOURCE_KINDS } from '../sources/kinds.ts'
import { readSourcesFile } from '../sources/read-sources-file.ts'
import type { SourceConfig } from '../sources/source.ts'
import { PLATFORM_REGISTRY } from './platform-registry.ts'
import { SECRET_VARIABLES, withSecretFiles } from './secret-files.ts'

/** Matches the variable `CLEW_MODEL_<STEP>`, which sets the model of one step. */
const STEP_VARIABLE = /^CLEW_MODEL_(?!TIMEOUT_S$)([A-Z_]+)$/

const DAY_S = 86_400

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const text = (fallback: string) => z.preprocess(blankAsAbsent, z.string().trim().default(fallback))
const count = (fallback: number, unit: string, range = '1 or more', most = Number.MAX_SAFE_INTEGER, least = 1) => {
  const error = `must be a whole number of ${unit}, ${range}`
  return z.preprocess(
    blankAsAbsent,
    z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error }).default(fallback),
  )
}
/** No time may exceed a day, because in Node a timer of more than 24.8 days fires at once. */
const seconds = (fallback: number) => count(fallback, 'seconds', '1 to 86400', 86_400)
const flag = (fallback: '0' | '1') =>
  z.preprocess(
    blankAsAbsent,
    z
      .enum(['0', '1', 'true', 'false'], { error: 'must be 0 or 1' })
      .default(fallback)
      .transform(value => value === '1' || value === 'true'),
  )
const list = (text: string) =>
  text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
const environmentSchema = z.object({
  CLICKHOUSE_URL: address(SOURCE_KINDS.clickhouse.schemes),
  CLICKHOUSE_DATABASE: text('default')
    .transform(list)
    .refine(names => names.length > 0, { error: 'must name at least one database' }),
  CLEW_WRITER_URL: address(['http://', 'https://']),
  CLEW_STATE_DATABASE: patterned(/^[A-Za-z_]\w*$/, 'the name of a database: letters, digits and _'),
  CLEW_PIPELINES_DATABASE: patterned(/^[A-Za-z_]\w*$/, 'the name of a database: letters, digits and _'),
  CLEW_DEFAULT_PRESERVATION_MODE: z.preprocess(
    blankAsAbsent,
    z.enum(['NONE', 'FULL'], { error: 'must be NONE or FULL' }).default('NONE'),
  ),
  REDIS_URL: address([
    'redis://',
    'unix://',
    'rediss://',
    'redis+cluster://',
    'rediss+cluster://',
    'redis+sentinel://',
    'rediss+sentinel://',
  ]),
  OPENAI_API_KEY: optionalText,
  OPENAI_BASE_URL: address(['http://', 'https://']),
  OPENAI_MODEL: text('gpt-5-mini'),
  CLEW_PROMPTS_DIR: optionalText,
  CLEW_SOURCES_FILE: optionalText,
  CLEW_ACCESS_FILE: optionalText,
  CLEW_ACCESS_TTL_S: seconds(300),
  CLEW_CAPS_FILE: optionalText,
  CLEW_DOMAIN_DIR: optionalText,
  CLEW_MODEL_TIMEOUT_S: seconds(60),
  CLEW_PRICES_FILE: optionalText,
  CLEW_TIME_ZONE: text('UTC').refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Berlin' }),
  CLEW_REQUIRE_AOF: flag('0'),
  CLEW_HISTORY_TURNS: count(8, 'turns'),
  CLEW_QUERY_MAX_ROWS: count(10_000, 'rows'),
  CLEW_QUERY_MAX_BYTES: z.preprocess(blankAsAbsent, z.string().default('10 MB').transform(parseBytes)),
  CLEW_QUERY_TIMEOUT_S: seconds(30),
  /**
   * A query's two threads can read about this many rows in 30 s, the default time limit. A larger query would load the server and
   * then time out.
   */
  CLEW_COST_MAX_ROWS: count(5_000_000_000, 'rows, or 0 for no budget', '0 or more', Number.MAX_SAFE_INTEGER, 0),
  CLEW_COST_MAX_BYTES: z.preprocess(blankAsAbsent, z.string().default('50 GB').transform(parseBytesOrNone)),
  CLEW_RUN_TIMEOUT_S: seconds(120),
  CLEW_SPECULATION: flag('1'),
  CLEW_RESULT_RETENTION_DAYS: count(7, 'days', '1 to 365', 365),
  CLEW_HISTORY_RETENTION_DAYS: count(30, 'days', '1 to 365', 365),
  CLEW_TRACE_RETENTION_DAYS: count(7, 'days', '1 to 365', 365),
  CLEW_FEEDBACK_RETENTION_DAYS: count(365, 'days', '1 to 3650', 3650),
  CLEW_AUDIT_RETENTION_DAYS: count(365, 'days', '1 to 3650', 3650),
  CLEW_REQUIRE_AUDIT: flag('0'),
  CLEW_PRIVATE_COLUMNS: text('').transform(list),
  CLEW_REQUIRE_KNOWN_ENGINE: flag('0'),
  CLEW_LINK_HOSTS: text('').transform(list).transform(linkHosts),
  CLEW_CORS_ORIGINS: text('').transform(list).transform(origins),
  CLEW_CONSOLE_URL: address(['http://', 'https://']),
  CLEW_MCP_RUN_QUERY: flag('0'),
  CLEW_STATE_KEY: z.preprocess(blankAsAbsent, z.string().trim().min(32, { error: 'must have 32 characters or more' }).optional()),
  CLEW_WORKER_CONCURRENCY: count(20, 'threads'),
  CLEW_QUESTIONS_PER_PERSON: count(1_000, 'questions'),
  CLEW_TOKENS_PER_PERSON: count(10_000_000, 'tokens'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(['http://', 'https://']),
  CLEW_TRACE_CONTENT: flag('0'),
  CLEW_LOG_LEVEL: z.preprocess(
    blankAsAbsent,
    z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  ),
  PORT: z.preprocess(
    blankAsAbsent,
    z.coerce.number({ error: 'must be a port number, 0 to 65535' }).int().min(0).max(65_535).default(8787),
  ),
})

export type Config = ReturnType<typeof readConfig>

/**
 * Reads and checks the whole configuration.
 * @param env normally `process.env`; an empty variable is treated as if it were not set, and secrets may be in files
 * (`NAME_FILE`)
 * @throws ConfigurationError with every wrong variable and its valid values
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  platforms: readonly PlatformEntry[] = PLATFORM_REGISTRY,
) {
  const secretNames = [...SECRET_VARIABLES, ...platforms.flatMap(({ secrets }) => secrets)]
  const platformVariables = Object.assign({}, ...platforms.map(({ variables }) => variables)) as PlatformEntry['variables']
  const given = withSecretFiles(env, secretNames)
  const parsed = environmentSchema.safeParse(given)
  const ofPlatforms = z.object(platformVariables).safeParse(given)
  if (!parsed.success || !ofPlatforms.success) {
    const issues = [parsed, ofPlatforms].flatMap(({ error }) => error?.issues ?? [])
    const problems = issues.map(issue => `${String(issue.path[0])} ${issue.message}`)
    throw new ConfigurationError(
      `The configuration is wrong: ${problems.join('; ')}. docs/configuration.md lists every variable.`,
    )
  }
  const value = parsed.data
  const sources = sourcesOf(value.CLEW_SOURCES_FILE, value.CLEW_PRIVATE_COLUMNS, env)
  const standing = sources?.[0]
  return Object.freeze({
    /** The only warehouse, or the default one of several sources. Pipelines and investigations work on it. */
    warehouse: {
      url: standing === undefined ? value.CLICKHOUSE_URL : clickhouseUrlOf(standing),
      databases: standing?.databases ?? value.CLICKHOUSE_DATABASE,
      maxRows: value.CLEW_QUERY_MAX_ROWS,
      maxBytes: value.CLEW_QUERY_MAX_BYTES,
      timeoutMs: value.CLEW_QUERY_TIMEOUT_S * 1000,
      /** A query that reads more rows or bytes needs a person's confirmation. */
      budget: { maxRows: value.CLEW_COST_MAX_ROWS, maxBytes: value.CLEW_COST_MAX_BYTES },
      privateColumns: standing?.privateColumns ?? value.CLEW_PRIVATE_COLUMNS,
      /** Whether to refuse a ClickHouse version that the SQL guard does not know. */
      requireKnownEngine: value.CLEW_REQUIRE_KNOWN_ENGINE,
    },
    /** The data sources of CLEW_SOURCES_FILE, the default one first. Undefined: the warehouse is the only source. */
    sources,
    pipelines: {
      /** The warehouse's address with the credentials of the writing user. Default: CLICKHOUSE_URL. */
      writerUrl: value.CLEW_WRITER_URL,
      stateDatabase: value.CLEW_STATE_DATABASE ?? 'clew',
      database: value.CLEW_PIPELINES_DATABASE ?? 'pipelines',
      preservation: value.CLEW_DEFAULT_PRESERVATION_MODE,
    },
    redis: { url: value.REDIS_URL, requireAppendOnly: value.CLEW_REQUIRE_AOF, stateKey: value.CLEW_STATE_KEY },
    /** The model's endpoint. Undefined if neither a key nor an address is set. */
    model:
      value.OPENAI_API_KEY === undefined && value.OPENAI_BASE_URL === undefined
        ? undefined
        : {
            // The client requires a key, but self-hosted endpoints often need none.
            apiKey: value.OPENAI_API_KEY ?? 'none',
            baseUrl: value.OPENAI_BASE_URL,
            model: value.OPENAI_MODEL,
            perStep: modelsPerStep(env),
            timeoutMs: value.CLEW_MODEL_TIMEOUT_S * 1000,
            pricesFile: value.CLEW_PRICES_FILE,
          },
    chat: {
      platforms,
      configured: configuredOf(platforms, ofPlatforms.data),
    },
    /** The access rules. Without a file, everybody may ask about everything. */
    access: { file: value.CLEW_ACCESS_FILE, ttlMs: value.CLEW_ACCESS_TTL_S * 1000 },
    promptsDirectory: value.CLEW_PROMPTS_DIR,
    domainDirectory: value.CLEW_DOMAIN_DIR,
    timeZone: value.CLEW_TIME_ZONE,
    linkHosts: value.CLEW_LINK_HOSTS,
    /** The origins of pages whose scripts may call `clew serve`. */
    corsOrigins: value.CLEW_CORS_ORIGINS,
    /** The address of the console as browsers know it, for links. */
    consoleUrl: value.CLEW_CONSOLE_URL,
    historyTurns: value.CLEW_HISTORY_TURNS,
    /**
     * For how many seconds Clew keeps the data for an answer's buttons, conversations after their last message, traces, and
     * feedback.
     */
    retention: {
      results: value.CLEW_RESULT_RETENTION_DAYS * DAY_S,
      history: value.CLEW_HISTORY_RETENTION_DAYS * DAY_S,
      traces: value.CLEW_TRACE_RETENTION_DAYS * DAY_S,
      feedback: value.CLEW_FEEDBACK_RETENTION_DAYS * DAY_S,
    },
    audit: {
      retentionSeconds: value.CLEW_AUDIT_RETENTION_DAYS * DAY_S,
      /** Whether an answer is shown only if the audit log has all that led to it. */
      isRequired: value.CLEW_REQUIRE_AUDIT,
    },
    runTimeoutMs: value.CLEW_RUN_TIMEOUT_S * 1000,
    speculation: value.CLEW_SPECULATION,
    /** Whether agents may run SQL of their own over MCP. */
    mcpRunQuery: value.CLEW_MCP_RUN_QUERY,
    workerConcurrency: value.CLEW_WORKER_CONCURRENCY,
    /** One person's limits: the questions in ten minutes, and the model tokens in an hour. */
    allowance: { questions: value.CLEW_QUESTIONS_PER_PERSON, tokens: value.CLEW_TOKENS_PER_PERSON },
    /** The receiver of spans, and whether spans have the texts of questions and SQL. */
    spans: { endpoint: value.OTEL_EXPORTER_OTLP_ENDPOINT, hasContent: value.CLEW_TRACE_CONTENT },
    /** The caps of people, channels, roles and everybody, for a day, week or month. */
    caps: value.CLEW_CAPS_FILE === undefined ? [] : readCapsFile(value.CLEW_CAPS_FILE),
    logLevel: value.CLEW_LOG_LEVEL,
    port: value.PORT,
    /** The names of all variables that Clew reads, except `CLEW_MODEL_<STEP>`. */
    variables: [
      ...Object.keys({ ...environmentSchema.shape, ...platformVariables }),
      ...secretNames.map(name => `${name}_FILE`),
      ...(sources ?? []).flatMap(({ urlVariable }) => [urlVariable, `${urlVariable}_FILE`]),
    ] as readonly string[],
    /** Secret values, which the logger removes from every line. */
    secrets: [
      value.OPENAI_API_KEY,
      ...platforms.flatMap(({ secrets }) => secrets.map(name => ofPlatforms.data[name])),
      ...passwordsOf(value.OPENAI_BASE_URL),
      ...passwordsOf(value.CLICKHOUSE_URL),
      ...passwordsOf(value.CLEW_WRITER_URL),
      ...(sources ?? []).flatMap(({ url }) => passwordsOf(url)),
      ...passwordsOf(value.REDIS_URL),
      value.CLEW_STATE_KEY,
    ].filter(secret => secret !== undefined),
  })
}

/** Without any ClickHouse server, Clew's own tables are in memory: there are no pipelines then, and so no investigations. */
function clickhouseUrlOf({ kind, url }: SourceConfig): string {
  return SOURCE_KINDS[kind].hasPipelines ? url : 'chdb:memory'
}

/** Parses a number of bytes, such as "10 MB". 0 means that there is no limit. */
function parseBytesOrNone(written: string, context: z.RefinementCtx): number {
  return written.trim() === '0' ? 0 : parseBytes(written, context)
}

/** Returns the platforms whose variables are set, by platform name. */
function configuredOf(platforms: readonly PlatformEntry[], values: PlatformValues): Readonly<Record<string, ConfiguredPlatform>> {
  return Object.fromEntries(
    platforms.flatMap(entry => {
      const configured = entry.configure(values)
      return configured === undefined ? [] : [[entry.name, configured]]
    }),
  )
}

function origins(written: readonly string[], context: z.RefinementCtx): readonly string[] {
  const wrong = written.find(each => !URL.canParse(each) || new URL(each).origin !== each)
  if (wrong === undefined) return written
  context.addIssue({ code: 'custom', message: `must be origins, such as https://app.example.com: ${wrong} is not one` })
  return z.NEVER
}

function linkHosts(written: readonly string[], context: z.RefinementCtx): readonly LinkHost[] {
  return written.flatMap(each => {
    const host = readLinkHost(each)
    if (host !== undefined) return [host]
    context.addIssue({
      code: 'custom',
      message: `must be host names, such as wiki.example.com or *.example.com: ${each} is not one`,
    })
    return []
  })
}

/**
 * Reads the file of sources. The addresses are secrets, so each may be in a file too. The common private columns are private in
 * every source.
 */
function sourcesOf(
  file: string | undefined,
  privateColumns: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly SourceConfig[] | undefined {
  if (file === undefined) return undefined
  const sources = readSourcesFile(file, name => withSecretFiles(env, [name])[name])
  const home = sources.find(({ kind }) => SOURCE_KINDS[kind].hasPipelines)
  if (home !== undefined && !home.isDefault) {
    throw new ConfigurationError(
      `CLEW_SOURCES_FILE: put a source of ${SOURCE_KINDS[home.kind].name} first, such as ${home.id}, because pipelines and investigations work on the first one.`,
    )
  }
  return sources.map(source => ({ ...source, privateColumns: [...privateColumns, ...source.privateColumns] }))
}

function modelsPerStep(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value = '']) => {
      const step = STEP_VARIABLE.exec(name)?.[1]
      return step && value.trim() !== '' ? [[step.toLowerCase(), value.trim()]] : []
    }),
  )
}

/**
 * Returns the passwords in a URL, encoded and decoded. Uses a pattern, because Node cannot parse URLs with several hosts. A Redis
 * URL may have a password without a user name, and a second password for sentinels.
 */
function passwordsOf(address = ''): readonly string[] {
  const [, scheme = '', credentials = ''] = /^([a-z+]+):\/\/([^@/?#]*)@/i.exec(address) ?? []
  const colon = credentials.indexOf(':')
  const own = colon < 0 && !scheme.startsWith('redis') ? '' : credentials.slice(colon + 1)
  const ofSentinels = /[?&]sentinelPassword=([^&#]*)/.exec(address)?.[1] ?? ''
  return [...new Set([own, ofSentinels].flatMap(written => [written, decoded(written) ?? written]))].filter(each => each !== '')
}
