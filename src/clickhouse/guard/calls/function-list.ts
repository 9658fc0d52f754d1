import { z } from 'zod'
import { WarehouseError } from '../../../warehouse/error.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { readForGuard } from '../read-for-guard.ts'
import { ANALYST_FUNCTIONS } from './analyst-functions.ts'
import { AGGREGATE_COMBINATORS, ANALYZER_FUNCTIONS, BARE_FUNCTIONS } from './function-rules.ts'

interface EngineFunction {
  readonly name: string
  /** The name without combinators: `sum` for `sumOrNullIf`. */
  readonly base: string
  readonly aggregate: boolean
  readonly allowed: boolean
  /** True if the first argument may be a function. */
  readonly higherOrder: boolean
  /** True if the function can be called without brackets. */
  readonly bare: boolean
}

const rowSchema = z.tuple([z.string(), z.coerce.boolean(), z.coerce.boolean(), z.string(), z.string(), z.coerce.boolean()])
const COLUMNS = 'name, toUInt8(is_aggregate), toUInt8(case_insensitive), alias_to, toString(origin)'
/**
 * Stands for the column `higher_order` on engines without that column. Counts every function of arrays or maps as higher-order.
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
      // The engine does not list groupArrayArray, but lists `array_concat_agg` as its alias. groupArrayArray is groupArray with the combinator
      // -Array.
      const base = names.has(real) ? real : withoutCombinators(real, names)
      const known: EngineFunction = {
        name: real,
        base,
        aggregate,
        higherOrder,
        bare: BARE_FUNCTIONS.has(real),
        // A function that an operator added (SQL, executable, WebAssembly) may do anything, so it is not allowed.
        allowed: origin === 'System' && ANALYST_FUNCTIONS.has(base),
      }
      this.#byName.set(name, known)
      if (caseInsensitive) this.#byLowerName.set(asciiLower(name), known)
    }
  }

  /** Looks up a name as the engine does: first exactly, then case-insensitively, then as an aggregate function with combinators. */
  find(name: string): EngineFunction | undefined {
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

  /** Looks up a name as `find` does, but without combinators. Functions without brackets have none. */
  findListed(name: string): EngineFunction | undefined {
    return this.#byName.get(name) ?? this.#byLowerName.get(asciiLower(name))
  }

  /** Returns the names of allowed functions, as suggestions for messages. */
  allowedNames(): readonly string[] {
    return [...this.#byName].filter(([, known]) => known.allowed).map(([name]) => name)
  }
}

/** Changes only ASCII letters to lower case, as the engine does. JavaScript would turn the Kelvin sign into a k. */
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
    // For aggregate functions, `higher_order` is NULL. They take no functions as arguments: in `argMax(x, version)`, `version` is a column.
    return await read('coalesce(higher_order, NOT is_aggregate)')
  } catch (error) {
    if (error instanceof WarehouseError && error.kind === 'unknown_name') return await read(MAY_BE_HIGHER_ORDER)
    throw error
  }
}

/** Removes combinators from a name until a listed name is left. Returns the name unchanged if none is found. */
function withoutCombinators(name: string, listed: ReadonlySet<string>): string {
  for (const combinator of AGGREGATE_COMBINATORS) {
    if (!name.endsWith(combinator) || name.length === combinator.length) continue
    const inner = name.slice(0, -combinator.length)
    const found = listed.has(inner) ? inner : withoutCombinators(inner, listed)
    if (listed.has(found)) return found
  }
  return name
}
