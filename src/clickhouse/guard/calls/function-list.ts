import { z } from 'zod'
import { SIZES } from '../../../base/sizes.ts'
import { WarehouseError } from '../../../warehouse/error.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { readForGuard } from '../read-for-guard.ts'
import { ANALYST_FUNCTIONS } from './analyst-functions.ts'
import { AGGREGATE_COMBINATORS, ANALYZER_FUNCTIONS, BARE_FUNCTIONS } from './function-rules.ts'

interface EngineFunction {
  readonly name: string
  /** The function's name without combinators. For `sumOrNullIf`, this is `sum`. */
  readonly base: string
  readonly aggregate: boolean
  readonly allowed: boolean
  /** True if the first argument may be a lambda function, as in `arrayMap(x -> x + 1, list)`. */
  readonly higherOrder: boolean
  /** True if the function can be called without parentheses, as in `SELECT current_user`. */
  readonly bare: boolean
}

const rowSchema = z.tuple([z.string(), z.coerce.boolean(), z.coerce.boolean(), z.string(), z.string(), z.coerce.boolean()])
const COLUMNS = 'name, toUInt8(is_aggregate), toUInt8(case_insensitive), alias_to, toString(origin)'
/**
 * Stands for the column `higher_order` on engines that do not have it. Every function of arrays or maps is then taken for
 * higher-order.
 */
const MAY_BE_HIGHER_ORDER = "match(name, '^(array|map)')"

/** The functions of an engine, and the engine's version. */
export class FunctionList {
  readonly version: string
  readonly #byName = new Map<string, EngineFunction>()
  readonly #byLowerName = new Map<string, EngineFunction>()

  constructor(version: string, rows: readonly z.infer<typeof rowSchema>[]) {
    this.version = version
    const names = new Set(rows.map(([name]) => name))
    for (const [name, aggregate, caseInsensitive, aliasTo, origin, higherOrder] of rows) {
      const real = aliasTo === '' ? name : aliasTo
      // The engine lists `array_concat_agg` as an alias of groupArrayArray, which it does not list itself. That is groupArray
      // with the combinator -Array, so the combinator is removed.
      const base = names.has(real) ? real : withoutCombinators(real, names)
      const known: EngineFunction = {
        name: real,
        base,
        aggregate,
        higherOrder,
        bare: BARE_FUNCTIONS.has(real),
        // An operator can add functions of another origin (SQL, executable, WebAssembly). They may do anything, so they are not
        // allowed.
        allowed: origin === 'System' && ANALYST_FUNCTIONS.has(base),
      }
      this.#byName.set(name, known)
      if (caseInsensitive) this.#byLowerName.set(asciiLower(name), known)
    }
  }

  /**
   * Finds a function as the engine does: by its exact name, then ignoring case, then as an aggregate function with combinators.
   */
  find(name: string): EngineFunction | undefined {
    // A name in a string, as in `arrayReduce('sumIf', list)`, can be of any length. The search stops for a very long one, because
    // taking its combinators off one by one would take quadratic time.
    if (name.length > SIZES.sqlName) return undefined
    const found = this.findListed(name)
    if (found !== undefined) return found
    if (ANALYZER_FUNCTIONS.has(name.toLowerCase())) {
      return { name, base: name, aggregate: false, allowed: true, higherOrder: false, bare: false }
    }
    for (const combinator of AGGREGATE_COMBINATORS) {
      if (!name.endsWith(combinator) || name.length === combinator.length) continue
      const inner = this.find(name.slice(0, -combinator.length))
      if (inner?.aggregate) return { ...inner, name: `${inner.name}${combinator}` }
    }
    return undefined
  }

  /** Like `find`, but without combinators. A function that is called without parentheses cannot have any. */
  findListed(name: string): EngineFunction | undefined {
    return this.#byName.get(name) ?? this.#byLowerName.get(asciiLower(name))
  }

  /** Returns the names of all allowed functions, from which error messages suggest similar ones. */
  allowedNames(): readonly string[] {
    return [...this.#byName].filter(([, known]) => known.allowed).map(([name]) => name)
  }
}

/**
 * Changes only ASCII letters to lower case, as the engine does. JavaScript's `toLowerCase` would also turn the Kelvin sign into a
 * k, and so find a function that the engine does not find.
 */
function asciiLower(name: string): string {
  return name.replace(/[A-Z]/g, letter => letter.toLowerCase())
}

/**
 * Reads the functions of the engine.
 * @throws WarehouseError if the engine is unreachable
 */
export async function readFunctionList(warehouse: Warehouse, signal: AbortSignal): Promise<FunctionList> {
  const read = async (higherOrder: string) => {
    const sql = `SELECT ${COLUMNS}, toUInt8(${higherOrder}), version() FROM system.functions`
    const { rows } = await readForGuard(warehouse, { sql }, signal)
    const version = z.string().parse(rows[0]?.at(-1))
    return new FunctionList(version, z.array(rowSchema).parse(rows.map(row => row.slice(0, -1))))
  }
  try {
    // Aggregate functions have NULL in `higher_order`, and take no lambdas: in `argMax(x, version)`, `version` is a column.
    return await read('coalesce(higher_order, NOT is_aggregate)')
  } catch (error) {
    if (error instanceof WarehouseError && error.kind === 'unknown_name') return await read(MAY_BE_HIGHER_ORDER)
    throw error
  }
}

/**
 * Removes combinators from a name until the name is in the list: `sumIf` becomes `sum`. If this never happens, returns the name
 * unchanged.
 */
function withoutCombinators(name: string, listed: ReadonlySet<string>): string {
  for (const combinator of AGGREGATE_COMBINATORS) {
    if (!name.endsWith(combinator) || name.length === combinator.length) continue
    const inner = name.slice(0, -combinator.length)
    const found = listed.has(inner) ? inner : withoutCombinators(inner, listed)
    if (listed.has(found)) return found
  }
  return name
}
