import { atOnce } from '../base/at-once.ts'
import { scopeHasRows, scopeOf } from './attachment.ts'
import type { TextCheck } from './check-text.ts'
import { otherCurrencyOfHeader } from './figures/currencies.ts'
import type { Figure } from './figures/figure.ts'
import { NAMELESS } from './figures/wording.ts'
import type { Grounds, Parsed } from './parse-text.ts'
import { digitsOf } from './proven-figure.ts'
import type { ResultIndex } from './rows/result-index.ts'
import { parseCell } from './rows/table-cells.ts'
import { cellsShowing, type Match, type Scope } from './support.ts'
import { unknownNames } from './unknown-names.ts'
import { type Problem, unsupported } from './unsupported-figure.ts'

/**
 * The state of a Markdown table under check. For each column, it holds the result columns that match all rows so far. If the
 * cells have several figures ("30 of 192"), each of these figures has its own entry.
 */
export interface TableState {
  readonly header: readonly string[]
  readonly columns: Map<string, ReadonlySet<string>>
  /** Per table column, whether all cells so far were names from the results. */
  readonly named: Map<number, boolean>
}

/** Checks a table row. The row's names select result rows, which must hold the row's figures. Each table column must keep to one result column. */
export function checkRow(cells: readonly string[], table: TableState, grounds: Grounds): Pick<TextCheck, 'problems' | 'cells'> {
  if (cells.length === 0) return { problems: [], cells: [] }
  const parsed = cells.map((cell, index) => parseCell(cell, table.header[index] ?? '', grounds, index === 0))
  const scopes = rowScopes(parsed, grounds.results) ?? leadingScope(parsed, grounds)
  const problems: Problem[] = []
  const shown: TextCheck['cells'][number][] = []
  const first = scopes?.[0]
  if (first !== undefined && !scopeHasRows(first) && grounds.results.some(result => result.rowCount > 0)) {
    const names = parsed.flatMap(cell => cell.mentions.map(mention => cell.text.slice(mention.start, mention.end)))
    return { problems: [{ text: names.join(', '), reason: `no row holds ${names.join(' and ')} together` }], cells: [] }
  }
  parsed.forEach((cell, index) => {
    const header = table.header[index] ?? ''
    for (const [place, figure] of cell.figures.entries()) {
      const found = cellSupport(figure, scopes ?? [new Map()], grounds)
      const currency = otherCurrencyOfHeader(`${header} ${cell.text}`, found?.map(({ column }) => column) ?? [])
      if (currency !== undefined) problems.push({ text: cell.text, reason: `${cell.text} is in ${currency}, as its column says` })
      if (found === undefined) problems.push(unsupported(figure, [scopes ?? [new Map()]], grounds.results))
      else if (found.length > 0 && scopes !== undefined) narrow(table, `${index}.${place}`, found, cell.text, problems)
      const [only, ...others] = grounds.proven.has(digitsOf(figure.text)) ? [] : (found ?? [])
      if (only !== undefined && others.length === 0) shown.push([figure, only])
    }
    const stranger = strangeCell(cell, index, table)
    if (stranger) problems.push(stranger)
    problems.push(...atOnce(unknownNames(cell.text, [...cell.mentions, ...cell.figures], grounds.known, grounds.results)))
  })
  return { problems, cells: shown }
}

/** Reports a cell without a known name, if all cells above it are known names. */
function strangeCell(cell: Parsed, index: number, table: TableState): Problem | undefined {
  let rest = cell.text
  for (const span of [...cell.mentions, ...cell.figures].sort((one, other) => other.start - one.start))
    rest = `${rest.slice(0, span.start)} ${rest.slice(span.end)}`
  const isNamed = cell.mentions.length > 0 && !/\p{L}{3,}/u.test(rest)
  const before = table.named.get(index)
  table.named.set(index, isNamed && before !== false)
  if (before !== true || isNamed || !/\p{L}{3,}/u.test(rest) || NAMELESS.test(rest)) return undefined
  return { text: cell.text, reason: `${cell.text} is in no row of the cited queries` }
}

/** Returns the result rows that hold the names of all cells. */
function rowScopes(parsed: readonly Parsed[], results: readonly ResultIndex[]): Scope[] | undefined {
  const mentions = parsed.flatMap(cell => cell.mentions)
  return mentions.length === 0 ? undefined : [scopeOf(mentions, results)]
}

/** Returns the result rows that show the first figure of the first cell, such as a time. Used for a table row without names. */
function leadingScope(parsed: readonly Parsed[], grounds: Grounds): Scope[] | undefined {
  const figure = parsed[0]?.figures[0]
  if (figure === undefined) return undefined
  const rows = new Map<string, number[]>()
  for (const match of cellsShowing(figure, grounds.results, new Map(), grounds.zones.slice(0, 1)))
    rows.set(match.query, [...(rows.get(match.query) ?? []), match.row])
  return rows.size > 0 ? [rows] : undefined
}

function cellSupport(figure: Figure, scopes: readonly Scope[], grounds: Grounds): Match[] | undefined {
  const { results, proven } = grounds
  const known = proven.get(digitsOf(figure.text))
  if (known !== undefined) return [...known.matches]
  const found = scopes.map(scope => cellsShowing(figure, results, scope, grounds.zones))
  return found.every(matches => matches.length > 0) ? found.flat() : undefined
}

/** Narrows a table column to the result columns that also match this row. Reports a problem if none is left. */
function narrow(table: TableState, place: string, found: readonly Match[], text: string, problems: Problem[]): void {
  const columns = new Set(found.map(match => `${match.query}.${match.column}`))
  const before = table.columns.get(place)
  const both = before === undefined ? columns : new Set([...columns].filter(column => before.has(column)))
  if (both.size > 0) table.columns.set(place, both)
  else
    problems.push({
      text,
      reason: `${text} is ${[...columns].join(' or ')}, the rows above it show ${[...(before ?? [])].join(' or ')}`,
    })
}
