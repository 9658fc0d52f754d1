import { breather } from '../base/slices.ts'
import { sqlLiteral } from '../warehouse/sql/plain-text.ts'
import { quoteIdentifier } from '../warehouse/sql/quote-identifier.ts'
import type { QueryResult, Warehouse } from '../warehouse/warehouse.ts'
import { COMBINE_LIMITS } from './limits.ts'
import type { NodeId } from './plan.ts'
import { engineType, type ReadColumn } from './types.ts'

/** The result of a scan, as its source returned it. */
export interface ScanResult extends Pick<QueryResult, 'columns' | 'rows' | 'truncated'> {
  /** The zone of times whose type names none, such as a ClickHouse server's own zone. Default: UTC. */
  readonly timeZone?: string
}

/** A scan's result with its columns as the plan reads them. */
export interface CombineInput {
  readonly id: NodeId
  readonly result: ScanResult
  readonly columns: readonly ReadColumn[]
}

/**
 * Creates the table of an input in the run's database, and fills it. Values get the types of `engineType`.
 * @throws WarehouseError
 */
export async function loadInput(
  warehouse: Pick<Warehouse, 'write'>,
  input: CombineInput,
  { database, scale }: { readonly database: string; readonly scale: number },
  signal: AbortSignal,
): Promise<void> {
  const table = quoteIdentifier(input.id)
  const columns = input.columns.map(column => tableColumn(column, input.result.timeZone, scale))
  const definitions = columns.map(({ definition }) => definition).join(', ')
  await warehouse.write({ sql: `CREATE TABLE ${table} (${definitions}) ENGINE = Memory`, database }, signal)
  const insert = `INSERT INTO ${table} (${columns.map(({ target }) => target).join(', ')}) FORMAT JSONCompactEachRow`
  for await (const lines of jsonLines(input)) {
    await warehouse.write({ sql: `${insert}\n${lines}`, database, timeoutMs: COMBINE_LIMITS.engine.timeoutMs }, signal)
  }
}

/** A column of the table, and the column that an INSERT fills. A time is read in the zone of its text and stored in UTC. */
function tableColumn({ name, type, timeZone }: ReadColumn, zoneOfSource: string | undefined, scale: number) {
  const column = quoteIdentifier(name)
  const plain = `${column} ${engineType(type, scale)}`
  const zone = timeZone ?? (type === 'datetime' ? zoneOfSource : undefined)
  if (zone === undefined || zone === 'UTC') return { definition: plain, target: column }
  // No name of a plan begins with an underscore.
  const target = quoteIdentifier(`_${name}`)
  const inZone = `Nullable(DateTime64(6, ${sqlLiteral(zone)}))`
  return { definition: `${target} ${inZone} EPHEMERAL, ${plain} DEFAULT ${target}`, target }
}

/** Yields the rows as lines of JSON, in pieces of the size of one statement. Other work runs between slices. */
async function* jsonLines({ result, columns }: CombineInput): AsyncGenerator<string> {
  const positions = columns.map(({ name }) => result.columns.findIndex(column => column.name === name))
  const breathe = breather()
  let lines: string[] = []
  let characters = 0
  for (const row of result.rows) {
    const cells = positions.map(position => row[position] ?? null)
    // The engine refuses half of a character of two code units.
    const line = JSON.stringify(cells.map(cell => (typeof cell === 'string' ? cell.toWellFormed() : cell)))
    lines.push(line)
    characters += line.length
    const turn = breathe()
    if (turn !== undefined) await turn
    if (characters < COMBINE_LIMITS.engine.insertCharacters) continue
    yield lines.join('\n')
    lines = []
    characters = 0
  }
  if (lines.length > 0) yield lines.join('\n')
}
