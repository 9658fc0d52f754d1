import { statfs } from 'node:fs/promises'
import { z } from 'zod'
import type { Report } from '../base/check.ts'
import { ConfigurationError, errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { privateColumnTest } from '../warehouse/private-columns.ts'
import { readRows } from '../warehouse/read-rows.ts'
import { hasParts } from '../warehouse/sql/column-type.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { databasesToName, readDatabases } from './databases-with-tables.ts'
import { excessRights, readGrants } from './granted-rights.ts'
import { isKnownEngineVersion, KNOWN_ENGINE_VERSIONS, refusedEngineSentence, UNKNOWN_ENGINE } from './guard/engine-version.ts'
import { CLIENT_CLOSE_SETTING, JUDGED_SETTINGS, judgeReaderSettings } from './judge-reader-settings.ts'
import { SERVER_LIMITS } from './limits.ts'
import { embeddedDirectory, openUncheckedWarehouse } from './open-warehouse.ts'

export interface WarehouseCheckOptions {
  readonly url: string
  readonly databases: readonly string[]
  readonly maxBytes: number
  readonly privateColumns: readonly string[]
  readonly requireKnownEngine: boolean
  /** The time limit of one query in milliseconds, from the variable CLEW_QUERY_TIMEOUT_S. */
  readonly timeoutMs: number
  readonly logger: Logger
}

/**
 * The first version that knows every setting that Clew sends. The newest one is `implicit_select`
 * (src/Core/SettingsChangesHistory.cpp).
 */
const OLDEST_VERSION = '24.10'
const READER_SQL = 'deploy/clickhouse/reader.sql'

/** Checks a warehouse with the rights of its configured user: version, SQL guard, grants, settings profile and tables. */
export async function checkWarehouse(options: WarehouseCheckOptions, report: Report, signal: AbortSignal): Promise<void> {
  const warehouse = await openUncheckedWarehouse(
    { ...options, database: options.databases[0] ?? 'default', timeoutMs: SERVER_LIMITS.checkMs },
    signal,
  )
  try {
    if (!(await checkVersion(warehouse, options, report, signal))) return
    await checkGuard(warehouse, report, signal)
    const directory = embeddedDirectory(options.url)
    if (directory === undefined) {
      await checkProfile(warehouse, options.timeoutMs, report, signal)
      await checkGrants(warehouse, options.databases, report, signal)
    } else {
      report({ check: 'rights', state: 'ok', found: 'the embedded engine lets its reader read only, within its limits' })
      if (directory !== 'memory') await checkDisk(directory, report)
    }
    await checkTables(warehouse, { databases: options.databases, isEmbedded: directory !== undefined }, report, signal)
    await checkPrivateColumns(warehouse, options, report, signal)
  } finally {
    await warehouse.close()
  }
}

/**
 * Checks whether the server answers, and whether its version is new enough.
 * @returns whether the server answers
 */
async function checkVersion(
  warehouse: Warehouse,
  { requireKnownEngine }: Pick<WarehouseCheckOptions, 'requireKnownEngine'>,
  report: Report,
  signal: AbortSignal,
): Promise<boolean> {
  const startedAt = performance.now()
  const version = await readVersion(warehouse, signal).catch((error: unknown) => {
    if (!(error instanceof WarehouseError)) throw error
    report({ check: 'answer', state: 'failed', found: `${warehouse.description}: ${error.message}`, advice: adviceFor(error) })
  })
  if (version === undefined) return false
  const elapsed = Math.max(1, Math.round(performance.now() - startedAt))
  report({ check: 'answer', state: 'ok', found: `${warehouse.description} answers in ${elapsed} ms` })
  const known = KNOWN_ENGINE_VERSIONS.join(', ')
  if (isOlder(version, OLDEST_VERSION)) {
    const found = `ClickHouse ${version} is too old`
    report({ check: 'version', state: 'failed', found, advice: `Use ClickHouse ${OLDEST_VERSION} or later, best ${known}.` })
  } else if (isKnownEngineVersion(version)) {
    report({ check: 'version', state: 'ok', found: `ClickHouse ${version}` })
  } else if (requireKnownEngine) {
    const advice = `Use ClickHouse ${known}, or unset CLEW_REQUIRE_KNOWN_ENGINE.`
    report({ check: 'version', state: 'failed', found: refusedEngineSentence(version), advice })
  } else {
    report({
      check: 'version',
      state: 'warning',
      found: `ClickHouse ${version}; the SQL guard was written for ${known}. ${UNKNOWN_ENGINE.meaning}`,
      advice: UNKNOWN_ENGINE.advice,
    })
  }
  return true
}

async function readVersion(warehouse: Warehouse, signal: AbortSignal): Promise<string> {
  const [row] = await readRows(
    warehouse,
    { sql: 'SELECT version() AS version', database: 'system' },
    z.object({ version: z.string() }),
    signal,
  )
  return row?.version ?? 'unknown'
}

/** Checks that the server runs the two kinds of statement that the SQL guard sends: formatting SQL, and explaining it. */
async function checkGuard(warehouse: Warehouse, report: Report, signal: AbortSignal): Promise<void> {
  const statements = [
    { sql: 'SELECT formatQuerySingleLine({q:String})', parameters: { q: 'SELECT 1' } },
    { sql: 'EXPLAIN QUERY TREE run_passes = 0 SELECT * FROM (SELECT 1)' },
  ]
  try {
    for (const statement of statements) await warehouse.read({ ...statement, database: 'system' }, signal)
    report({ check: 'SQL guard', state: 'ok', found: 'the server parses and explains queries for it' })
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error
    const advice = `Use ClickHouse ${OLDEST_VERSION} or later, with the analyzer on (enable_analyzer = 1).`
    report({ check: 'SQL guard', state: 'failed', found: `the server cannot do what the guard needs: ${error.message}`, advice })
  }
}

const settingRow = z.object({ name: z.string(), value: z.string() })

async function checkProfile(warehouse: Warehouse, timeoutMs: number, report: Report, signal: AbortSignal): Promise<void> {
  const sql = 'SELECT name, value FROM system.settings WHERE name IN {names:Array(String)}'
  const query = { sql, parameters: { names: JUDGED_SETTINGS }, database: 'system' }
  const values = new Map((await readRows(warehouse, query, settingRow, signal)).map(row => [row.name, row.value]))
  const readonly = values.get('readonly')
  const advice = `Apply ${READER_SQL}, which makes a user whose profile holds all of this.`
  if (readonly !== '1') {
    const found =
      readonly === '2'
        ? 'the user is read-only but may change settings (readonly = 2); Clew sends its limits with each query'
        : 'the user is not read-only (readonly = 0); Clew sends readonly = 1 and its limits with each query'
    report({ check: 'profile', state: 'warning', found, advice })
    return
  }
  const { inexact, loose } = judgeReaderSettings(values, timeoutMs)
  if (inexact.length > 0) {
    report({
      check: 'numbers',
      state: 'failed',
      found: `they would arrive wrong, since the profile lacks ${inexact.join(', ')}`,
      advice,
    })
  } else {
    report({ check: 'numbers', state: 'ok', found: 'they arrive exactly' })
  }
  const faults = [
    ...loose,
    ...(values.get(CLIENT_CLOSE_SETTING) === '0'
      ? [`${CLIENT_CLOSE_SETTING} is 0: a stopped query may run on in the server`]
      : []),
  ]
  if (faults.length > 0) report({ check: 'profile', state: 'warning', found: `read-only, but ${faults.join('; ')}`, advice })
  else report({ check: 'profile', state: 'ok', found: 'read-only, every limit set' })
}

async function checkGrants(
  warehouse: Warehouse,
  databases: readonly string[],
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const excess = excessRights(readGrants(await readGrantLines(warehouse, signal)), databases)
  if (excess.length === 0) {
    report({ check: 'grants', state: 'ok', found: 'the user may read what it was granted, and nothing else' })
    return
  }
  report({
    check: 'grants',
    state: 'warning',
    found: `the user has more rights than asking needs: ${excess.join('; ')}`,
    advice: `Give Clew a user of its own that may only SELECT from the databases asked about: ${READER_SQL} makes one.`,
  })
}

/** Reads the grants of the user. FINAL adds the rights of the user's roles, but older servers do not know FINAL. */
async function readGrantLines(warehouse: Warehouse, signal: AbortSignal): Promise<readonly string[]> {
  const read = async (sql: string) => {
    const { rows } = await warehouse.read({ sql, database: 'system' }, signal)
    return z.array(z.tuple([z.string()])).parse(rows)
  }
  const rows = await read('SHOW GRANTS FINAL').catch((error: unknown) => {
    if (error instanceof WarehouseError && error.kind === 'syntax') return read('SHOW GRANTS')
    throw error
  })
  return rows.flatMap(([line]) => line.split('\n')).filter(line => line !== '')
}

async function checkTables(
  warehouse: Warehouse,
  asked: { readonly databases: readonly string[]; readonly isEmbedded: boolean },
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const visible = await readDatabases(warehouse, signal)
  const tablesOf = new Map(visible.map(row => [row.name, row.tables]))
  for (const database of asked.databases) {
    const tables = tablesOf.get(database)
    if (tables !== undefined && tables > 0) {
      report({ check: 'tables', state: 'ok', found: `${database}: ${tables === 1 ? '1 table' : `${tables} tables`}` })
      continue
    }
    const hidden = asked.isEmbedded ? '' : ', or the user may not see it'
    const found = tables === undefined ? `there is no such database${hidden}` : `no table is there${hidden}`
    const instead = databasesToName(database, visible)
    const options = [
      ...(instead.length > 0 ? [`set CLICKHOUSE_DATABASE to one that has tables (${instead.join(', ')})`] : []),
      ...(asked.isEmbedded ? ['create the tables'] : [`grant SELECT on ${database}.* to the user`]),
    ]
    const advice = `What helps: ${options.join('; ')}.`
    report({ check: 'tables', state: 'failed', found: `${database}: ${found}`, advice })
  }
}

const columnRow = z.object({ database: z.string(), table: z.string(), name: z.string(), type: z.string() })

/**
 * Warns of a pattern for private columns that matches no column. If a pattern is misspelt, its column is not private, and nobody
 * would notice.
 */
async function checkPrivateColumns(
  warehouse: Warehouse,
  { databases, privateColumns }: WarehouseCheckOptions,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  if (privateColumns.length === 0) return
  const sql = 'SELECT database, table, name, type FROM system.columns WHERE database IN {databases:Array(String)}'
  const columns = await readRows(warehouse, { sql, parameters: { databases }, database: 'system' }, columnRow, signal)
  const marked = (patterns: readonly string[]) => {
    const isPrivate = privateColumnTest(patterns)
    return columns.filter(({ database, table, name, type }) => isPrivate(database, table, name, hasParts(type))).length
  }
  const idle = privateColumns.filter(pattern => marked([pattern]) === 0)
  const count = marked(privateColumns)
  const found = `${count === 1 ? '1 column is' : `${count} columns are`} private`
  if (idle.length === 0) report({ check: 'private columns', state: 'ok', found })
  else {
    const advice =
      'Correct CLEW_PRIVATE_COLUMNS (column, table.column or database.table.column), if the user may see that column at all.'
    report({ check: 'private columns', state: 'warning', found: `${found}, but none by ${idle.join(', ')}`, advice })
  }
}

async function checkDisk(directory: string, report: Report): Promise<void> {
  try {
    const { bavail, bsize } = await statfs(directory)
    const free = `${(Number(bavail * bsize) / 1e9).toFixed(1)} GB free in ${directory}`
    if (bavail * bsize >= SERVER_LIMITS.freeBytes) report({ check: 'disk', state: 'ok', found: free })
    else
      report({ check: 'disk', state: 'warning', found: `only ${free}`, advice: 'Free some, or move the engine to another disk.' })
  } catch (error) {
    throw new ConfigurationError(`The disk of ${directory} cannot be checked: ${errorMessage(error)}`, { cause: error })
  }
}

function adviceFor(error: WarehouseError): string {
  if (error.kind === 'authentication')
    return 'Correct the user or the password in CLICKHOUSE_URL (special characters percent-encoded).'
  if (error.kind === 'unavailable' || error.kind === 'timeout')
    return 'Check host and port in CLICKHOUSE_URL (HTTP: 8123, HTTPS: 8443), that the server runs, and that nothing stands between.'
  return 'Check CLICKHOUSE_URL: it must be the HTTP interface of a ClickHouse server.'
}

/** Whether one version is older than another. Only the year and the release number are compared: 24.3 is older than 24.10. */
function isOlder(version: string, than: string): boolean {
  const [year = 0, release = 0] = version.split('.').map(Number)
  const [thanYear = 0, thanRelease = 0] = than.split('.').map(Number)
  return year < thanYear || (year === thanYear && release < thanRelease)
}
