import { ClewError } from '../../base/errors.ts'
import type { OpenedSource, SourceConfig } from '../../sources/source.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { Config } from '../config.ts'
import { defaultSource } from '../observed-source.ts'
import { warehouseUrl } from '../parts.ts'
import { notConfigured } from '../required-parts.ts'
import { openSource } from '../sources.ts'
import { openStateStore } from '../store.ts'
import { type CommandContext, EXIT } from './command-context.ts'
import { printList } from './print-list.ts'

/** A data source as `clew sources --json` prints it. */
interface SourceReport {
  readonly id: string
  readonly kind: SourceConfig['kind']
  readonly default: boolean
  readonly state: 'reachable' | 'unreachable'
  /** Why the source cannot be reached. Null if it can. */
  readonly error: string | null
  /** Null if the source cannot be reached. */
  readonly tables: readonly string[] | null
  /** The roles that may use the source. Null if the tables of the roles alone decide. */
  readonly roles: readonly string[] | null
}

/**
 * `clew sources`: shows each data source, whether it can be reached, and how many tables it has. If one cannot be reached, the
 * exit code is 1.
 */
export async function sourcesCommand(context: CommandContext, options: { readonly json: boolean }): Promise<number> {
  const { config, output, signal } = context
  const store = await openStateStore(context)
  const open = (source: SourceConfig) => openSource(context, store, source)
  const sources = config.sources ?? [onlySource(config)]
  const reports = await Promise.all(sources.map(source => reportOf(source, open, signal)))
  const rows = reports.map(({ id, kind, state, error, tables, roles }) => [
    ...[id, kind, tables?.length ?? '', roles?.join(', ') ?? 'by their tables', error ?? state],
  ])
  const header = ['source', 'kind', 'tables', 'roles', 'state']
  printList({ output }, options, { value: { sources: reports }, header, rows, numeric: [2], whole: [0] })
  return reports.every(({ state }) => state === 'reachable') ? EXIT.answered : EXIT.failed
}

/**
 * Returns the ClickHouse of CLICKHOUSE_URL as a data source.
 * @throws ConfigurationError if there is none
 */
function onlySource(config: Config): SourceConfig {
  const url = warehouseUrl(config)
  if (url === undefined) throw notConfigured(config, 'warehouse')
  const { databases, privateColumns } = config.warehouse
  const own = { id: defaultSource(config), isDefault: true, kind: 'clickhouse', urlVariable: 'CLICKHOUSE_URL' } as const
  return { ...own, url, databases, privateColumns, description: '', joinKeys: [] }
}

async function reportOf(
  source: SourceConfig,
  open: (source: SourceConfig) => OpenedSource,
  signal: AbortSignal,
): Promise<SourceReport> {
  const { id, kind, isDefault, roles = null } = source
  try {
    const { schemaSource } = open(source)
    const { tables } = await schemaSource.load(signal)
    return { id, kind, default: isDefault, state: 'reachable', error: null, tables: tables.map(qualifiedName), roles }
  } catch (error) {
    if (signal.aborted || !(error instanceof ClewError)) throw error
    return { id, kind, default: isDefault, state: 'unreachable', error: error.message, tables: null, roles }
  }
}
