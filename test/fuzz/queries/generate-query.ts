import { CASE_SCOPE, FUZZ_SCOPES } from '../fuzz-world.ts'
import type { FuzzQuery } from '../oracle.ts'
import { Random } from '../random.ts'
import { fillShape } from './fill-shape.ts'
import type { CaseMutator } from './mutate-case.ts'
import { Names } from './names.ts'
import { NOWHERE, type QueryContext } from './query-context.ts'
import { writeExpression } from './write-expression.ts'
import { writeSelect } from './write-select.ts'

/** Returns the query with this number. The same seed and number always give the same query. */
export function generateQuery(seed: number, index: number, cases: CaseMutator): FuzzQuery {
  const random = new Random(seed, index)
  const source = random.weighted([
    [45, 'grammar'],
    [30, 'shape'],
    [25, 'case'],
  ] as const)
  if (source === 'case') return { sql: cases.mutate(random), scope: CASE_SCOPE }
  const context = newContext(random)
  const { scope } = context
  if (source === 'shape') return { sql: fillShape(context), scope }
  return {
    sql: writeSelect(context, { many: 1 + random.int(3) }, { ...NOWHERE, depth: random.pick([2, 2, 2, 3, 3, 4]) }).sql,
    scope,
  }
}

function newContext(random: Random): QueryContext {
  const context: QueryContext = {
    random,
    scope: random.pick(FUZZ_SCOPES),
    names: new Names(random, { taken: random.pick([0.1, 0.4, 0.8]), strange: random.pick([0, 0, 0, 0.1]) }),
    // Half of the queries stay inside the scope. They find names that the guard and the engine understand differently.
    mood: { reach: random.pick([0, 0, 0, 0.01, 0.04, 0.15]), oddity: random.pick([0, 0.1, 0.3]) },
    expression: (type, place) => writeExpression(context, type, place),
    select: (wanted, place) => writeSelect(context, wanted, place),
  }
  return context
}
