import { setImmediate as nextTurn } from 'node:timers/promises'
import { readCompactDocument } from '../src/clickhouse/json-compact.ts'
import type { Schema, TableSchema } from '../src/warehouse/schema.ts'
import type { Cell, ReadQuery, Warehouse } from '../src/warehouse/warehouse.ts'

interface Table {
  readonly names: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

const PARTS = 64
/** The time of each table's last change, in seconds since 1970. */
const MODIFIED = 1_700_000_000

export interface CatalogWarehouse extends Warehouse {
  /** Changes the definition of one table in the catalog. */
  change(): void
}

/**
 * Starts a warehouse that has only a catalog. Creating ten thousand real tables would take minutes. Each answer is made once, in the server's format.
 * So a second read measures the catalog alone.
 */
export function startCatalogWarehouse(schema: Schema): CatalogWarehouse {
  const tables = schema.tables.map((table, index) => ({ ...table, part: index % PARTS }))
  const counts = Array.from({ length: PARTS }, (_, part) => tables.filter(table => table.part === part).length)
  const byName = new Map<string, (typeof tables)[number][]>()
  for (const table of tables) byName.set(table.name, [...(byName.get(table.name) ?? []), table])
  const answers = new Map<string, Buffer>()
  let changes = 0
  const modifiedOf = (part: number) => MODIFIED + (part === 0 ? changes : 0)

  function answer(sql: string, parameters: NonNullable<ReadQuery['parameters']>): Table {
    if (sql.includes('AS serverVersion')) {
      return {
        names: ['serverVersion', 'timeZone', 'databases'],
        rows: [[schema.serverVersion, schema.timeZone, schema.databases.map(({ name, comment }) => [name, comment])]],
      }
    }
    if (sql.includes('AS digest')) return digests()
    if (sql.includes('AS modified')) {
      const most = Number(/LIMIT (\d+)/.exec(sql)?.[1] ?? tables.length)
      const parts = parameters.parts as readonly string[] | undefined
      return list(tables.filter(({ part }) => parts?.includes(String(part)) ?? true).slice(0, most))
    }
    const named = (parameters.names as readonly string[]).flatMap(name => byName.get(name) ?? [])
    const wanted = named.filter(({ database }) => parameters.databases?.toString().split(',').includes(database))
    return sql.includes('FROM system.columns') ? columns(wanted) : details(wanted)
  }

  function digests(): Table {
    return {
      names: ['part', 'tables', 'oldest', 'digest'],
      rows: counts.map((count, part) => [part, String(count), MODIFIED, `${part}-${modifiedOf(part)}`]),
    }
  }

  function list(listed: typeof tables): Table {
    return {
      names: ['database', 'name', 'engine', 'uuid', 'modified', 'age', 'total_rows', 'total_bytes', 'part'],
      rows: listed.map(({ database, name, engine, rows, part }) => [
        ...[database, name, engine, '0191c0de-0000-7000-8000-000000000000'],
        ...[modifiedOf(part), 100_000, String(rows), '1000000', part],
      ]),
    }
  }

  async function read({ sql, parameters = {} }: ReadQuery) {
    const key = `${changes} ${sql} ${JSON.stringify(parameters)}`
    const body = answers.get(key) ?? documentOf(answer(sql, parameters))
    answers.set(key, body)
    // The answer of a real server would arrive in a later turn of the event loop.
    await nextTurn()
    const result = await readCompactDocument(body, { tag: undefined, queryId: 'catalog' })
    return { ...result, truncated: false, elapsedMs: 0, queryId: 'catalog' }
  }

  return {
    description: 'a catalog',
    read,
    readOwn: read,
    write: async () => undefined,
    close: async () => undefined,
    change: () => {
      changes += 1
    },
  }
}

function columns(tables: readonly TableSchema[]): Table {
  return {
    names: 'database table name type comment default_kind default_expression bytes is_in_partition_key'.split(' '),
    rows: tables.flatMap(({ database, name, columns: own }) =>
      own.map(column => [database, name, column.name, column.type, column.comment, '', '', '1000', 0]),
    ),
  }
}

function details(tables: readonly TableSchema[]): Table {
  return {
    names: 'database name comment primary_key sorting_key partition_key sampling_key as_select engine_full definition'.split(' '),
    rows: tables.map(({ database, name, comment, primaryKey, sortingKey }) => [
      ...[database, name, comment, primaryKey, sortingKey, '', '', ''],
      ...[`MergeTree ORDER BY ${sortingKey} SETTINGS index_granularity = 8192`, ''],
    ]),
  }
}

/** Writes a table in the format in which a server sends it: one row per line. */
function documentOf({ names, rows }: Table): Buffer {
  const meta = JSON.stringify(names.map(name => ({ name, type: 'String' })))
  const lines = rows.map(row => `\t\t${JSON.stringify(row)}`).join(',\n')
  return Buffer.from(`{\n\t"meta": ${meta},\n\n\t"data":\n\t[\n${lines}\n\t],\n\n\t"rows": ${rows.length}\n}\n`)
}
