import { z } from 'zod'
import type { Cell } from '../warehouse/warehouse.ts'
import { type CompiledStatement, type CompileInput, compileRelations } from './compile.ts'
import { compileKeys } from './compile-combine.ts'
import type { Compare, Join, NodeId } from './plan.ts'
import type { MatchReport } from './relation.ts'

/** Compiles the query that counts how the sides of a join or a compare meet. `readMatchReport` reads its single row. */
export function compileMatchQuery(input: CompileInput, id: NodeId, matched: Join | Compare): CompiledStatement {
  const relations = compileRelations(input, id)
  const sides = { left: relations.of(matched.left), right: relations.of(matched.right) }
  const pairs = compileKeys(matched, sides, input.scale)
  const names = pairs.map((_, index) => `k${index}`)
  for (const [side, alias] of [
    ['left', 'l'],
    ['right', 'r'],
  ] as const) {
    const keys = pairs.map(pair => pair[side].expression)
    const listed = keys.map((key, index) => `${key} AS k${index}`).join(', ')
    const from = `${sides[side].sql} AS ${alias}`
    relations.define(`${side}_keys`, `SELECT ${listed}, count() AS n FROM ${from} GROUP BY ${keys.join(', ')}`)
  }
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
export function readMatchReport(node: NodeId, matched: Join | Compare, row: readonly Cell[] | undefined): MatchReport {
  const counts = countsSchema.parse(row)
  const [rowsLeft, keysLeft, rowsRight, keysRight, keysMet, metLeft, mostLeft, metRight, mostRight, pairs] = counts
  const kind = matched.kind === 'join' ? matched.join : 'full'
  const unmet = (rows: number, met: number) => (rows === 0 ? 0 : 1 - met / rows)
  const [lostLeft, lostRight] = [unmet(rowsLeft, metLeft), unmet(rowsRight, metRight)]
  const lost = { inner: Math.max(lostLeft, lostRight), left: lostLeft, full: 0 }
  const alone = { inner: 0, left: rowsLeft - metLeft, full: rowsLeft - metLeft + rowsRight - metRight }
  return {
    node,
    definition: matched,
    multiplies: mostLeft > 1 && mostRight > 1,
    counts: {
      rows_left: rowsLeft,
      rows_right: rowsRight,
      keys_left: keysLeft,
      keys_right: keysRight,
      keys_met: keysMet,
      rows: pairs + alone[kind],
      most_rows_left: mostLeft,
      most_rows_right: mostRight,
      lost_share: lost[kind],
      lost_side: kind === 'inner' && lostRight > lostLeft ? 'right' : 'left',
    },
  }
}
