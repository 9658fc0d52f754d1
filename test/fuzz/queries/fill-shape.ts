import { ATTACK_SHAPES } from './attack-shapes.ts'
import { deeper, NOWHERE, type QueryContext } from './query-context.ts'
import { written } from './write-condition.ts'
import { CORE, NARROW, WIDE } from './write-from.ts'

const HOLE = /\{(\w+)\}/g
const IS_NARROW = /\.(?:ids|keys|id|x|n|y)$/

/** Chooses a shape of a query, and fills its placeholders (`{T}`, `{int}`) with random text. */
export function fillShape(context: QueryContext): string {
  const { random, names, scope, mood } = context
  const stable = new Map<string, string>()
  const tables = [...scope.guard.tables]
  const table = (isNarrow: boolean) =>
    written(random.pick(tables.filter(name => IS_NARROW.test(name) === isNarrow)), scope.guard.database, random.chance(0.6))
  const anyTable = (isNarrow: boolean) =>
    random.chance(0.1 + mood.reach) ? names.anyTable(isNarrow ? 'narrow' : 'wide') : table(isNarrow)
  const place = { ...NOWHERE, relations: [{ qualifiers: [], columns: WIDE, stored: true }], depth: 1 }
  const apart = { ...NOWHERE, depth: 2 }
  const holes: Readonly<Record<string, () => string>> = {
    T: () => table(false),
    N: () => table(true),
    S: () => anyTable(false),
    M: () => anyTable(true),
    int: () => random.pick(['1', '2', context.expression('int', deeper(place))]),
    text: () => context.expression('text', place),
    bool: () => context.expression('bool', place),
    ints: () => context.expression('ints', place),
    lit: () => random.pick(['[1, 2, 3]', '(1, 2)', '[toInt64(1)]', 'range(3)', 'array(1, 5)', '5']),
    rows: () => context.select({ rows: CORE }, apart).sql,
    ids: () => context.select({ rows: NARROW, exact: true }, apart).sql,
    one: () => context.select({ one: 'int' }, apart).sql,
  }
  return random.pick(ATTACK_SHAPES).replace(HOLE, (hole, name: string) => {
    const fill = holes[name]
    if (fill !== undefined) return fill()
    // A text such as {n:UInt64} belongs to SQL and is not a placeholder.
    if (name.length > 1) return hole
    const known = stable.get(name) ?? context.names.fresh()
    stable.set(name, known)
    return known
  })
}
