import { z } from 'zod'
import type { Cell } from '../warehouse/warehouse.ts'
import { type CompiledStatement, type CompileInput, Relations } from './compile.ts'
import { compileKeys } from './compile-combine.ts'
import type { Compare, Join, NodeId } from './plan.ts'

/** One side of a join. Rows whose key has a null count as rows, but have no key. */
export interface MatchSide {
  readonly rows: number
  /** Its distinct keys. */
  readonly keys: number
  /** The rows whose key the other side has too. */
  readonly rowsMet: number
  /** The most rows of one key, among the keys that met. */
  readonly mostRowsPerKey: number
}

/** How well the two sides of a join or a compare met. */
export interface MatchReport {
  readonly node: NodeId
  readonly left: MatchSide
  readonly right: MatchSide
  /** The distinct keys that both sides have. */
  readonly keysMet: number
  readonly joinedRows: number
  /**
   * The part of the rows that lost their place or stayed without a partner, from 0 to 1. Of a left join: of the left rows. Of an inner
   * join: of the side that lost more. A full join and a compare lose nothing.
   */
  readonly lostShare: number
  /** The side that `lostShare` is of. */
  readonly lostSide: 'left' | 'right'
  /** Whether a key has several rows on both sides, so that the join makes rows that neither side has. */
  readonly multiplies: boolean
}

type Matched = Join | Compare

/** Compiles the query that counts how the sides of a join or a compare meet. `readMatchReport` reads its single row. */
export function compileMatchQuery(input: CompileInput, id: NodeId, matched: Matched): CompiledStatement {
  const relations = new Relations(input, id)
  const left = relations.of(matched.left)
  const right = relations.of(matched.right)
  const pairs = compileKeys(matched, { left, right }, input.scale)
  const names = pairs.map((_, index) => `k${index}`)
  const keys = (side: 'left' | 'right') => pairs.map(pair => pair[side].expression)
  const define = (name: string, from: string, expressions: readonly string[]) => {
    const listed = expressions.map((key, index) => `${key} AS k${index}`).join(', ')
    relations.define(name, `SELECT ${listed}, count() AS n FROM ${from} GROUP BY ${expressions.join(', ')}`)
  }
  define('left_keys', `${left.sql} AS l`, keys('left'))
  define('right_keys', `${right.sql} AS r`, keys('right'))
  const isKey = names.map(name => `${name} IS NOT NULL`).join(' AND ')
  const side = (name: string) => `(SELECT sum(n), countIf(${isKey}) FROM ${name})`
  return relations.statement(`SELECT a.*, b.*, c.*
FROM ${side('left_keys')} AS a
CROSS JOIN ${side('right_keys')} AS b
CROSS JOIN (
SELECT count(), sum(l.n), max(l.n), sum(r.n), max(r.n), sum(toFloat64(l.n) * r.n)
FROM left_keys AS l
INNER JOIN right_keys AS r ON ${names.map(name => `l.${name} = r.${name}`).join(' AND ')}
) AS c`)
}

const count = z.coerce.number().nonnegative()
const countsSchema = z.tuple([count, count, count, count, count, count, count, count, count, count])

/** Reads the row of the query that `compileMatchQuery` returns. */
export function readMatchReport(node: NodeId, matched: Matched, row: readonly Cell[] | undefined): MatchReport {
  const counts = countsSchema.parse(row)
  const [leftRows, leftKeys, rightRows, rightKeys, keysMet, leftMet, leftMost, rightMet, rightMost, pairs] = counts
  const kind = matched.kind === 'join' ? matched.join : 'full'
  const left = { rows: leftRows, keys: leftKeys, rowsMet: leftMet, mostRowsPerKey: leftMost }
  const right = { rows: rightRows, keys: rightKeys, rowsMet: rightMet, mostRowsPerKey: rightMost }
  const leftAlone = kind === 'inner' ? 0 : leftRows - leftMet
  const rightAlone = kind === 'full' ? rightRows - rightMet : 0
  const lost = { inner: Math.max(unmet(left), unmet(right)), left: unmet(left), full: 0 }
  return {
    node,
    left,
    right,
    keysMet,
    joinedRows: pairs + leftAlone + rightAlone,
    lostShare: lost[kind],
    lostSide: kind === 'inner' && unmet(right) > unmet(left) ? 'right' : 'left',
    multiplies: leftMost > 1 && rightMost > 1,
  }
}

function unmet({ rows, rowsMet }: MatchSide): number {
  return rows === 0 ? 0 : 1 - rowsMet / rows
}
