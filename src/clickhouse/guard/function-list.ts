import { z } from 'zod'
import type { Warehouse } from '../warehouse.ts'
import { WarehouseError } from '../warehouse-error.ts'
import { ANALYST_FUNCTIONS } from './analyst-functions.ts'
import { AGGREGATE_COMBINATORS, ANALYZER_FUNCTIONS, BARE_FUNCTIONS } from './function-rules.ts'
import { readForGuard } from './read-for-guard.ts'

interface EngineFunction {
  readonly name: string
  /** The name without combinators: of sumOrNullIf it is sum. */
  readonly base: string
  readonly aggregate: boolean
  readonly allowed: boolean
  /** Takes a function as its first argument. */
  readonly higherOrder: boolean
  /** May be called without brackets. */
  readonly bare: boolean
}

const rowSchema = z.tuple([z.string(), z.coerce.boolean(), z.coerce.boolean(), z.string(), z.string(), z.coerce.boolean()])
const COLUMNS = 'name, toUInt8(is_aggregate), toUInt8(case_insensitive), alias_to, toString(origin)'
/** Where the engine does not say which functions are of higher order: those over arrays and maps may be. */
const MAY_BE_HIGHER_ORDER = "match(name, '^(array|map)')"

/** The connected engine's functions and its version. */
export class FunctionList {
  readonly version: string
  readonly #byName = new Map<string, EngineFunction>()
  readonly #byLowerName = new Map<string, EngineFunction>()

  constructor(version: string, rows: readonly z.infer<typeof rowSchema>[]) {
    this.version = version
    const names = new Set(rows.map(([name]) => name))
    for (const [name, aggregate, caseInsensitive, aliasTo, origin, higherOrder] of rows) {
      const real = aliasTo === '' ? name : aliasTo
      // `array_concat_agg` is groupArrayArray, which is not listed: groupArray behind a combinator.
      const base = names.has(real) ? real : withoutCombinators(real, names)
      const known: EngineFunction = {
        name: real,
        base,
        aggregate,
        higherOrder,
        bare: BARE_FUNCTIONS.has(real),
        // What an operator added (SQL, executable, WebAssembly) may do anything.
        allowed: origin === 'System' && ANALYST_FUNCTIONS.has(base),
      }
      this.#byName.set(name, known)
      if (caseInsensitive) this.#byLowerName.set(asciiLower(name), known)
    }
  }

  /** The engine's own lookup: the exact name, else one that is case-insensitive, else an aggregate function behind combinators. */
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

  /** The lookup of a name without brackets. */
  findListed(name: string): EngineFunction | undefined {
    return this.#byName.get(name) ?? this.#byLowerName.get(asciiLower(name))
  }

  /** Names of allowed functions, for near names in messages. */
  allowedNames(): readonly string[] {
    return [...this.#byName].filter(([, known]) => known.allowed).map(([name]) => name)
  }
}

/** As the engine folds names: JavaScript would take the Kelvin sign for a k. */
function asciiLower(name: string): string {
  return name.replace(/[A-Z]/g, letter => letter.toLowerCase())
}

/** @throws WarehouseError when the engine cannot be asked */
export async function readFunctionList(warehouse: Warehouse, signal: AbortSignal): Promise<FunctionList> {
  const read = async (higherOrder: string) => {
    const sql = `SELECT ${COLUMNS}, toUInt8(${higherOrder}), version() FROM system.functions`
    const { rows } = await readForGuard(warehouse, { sql }, signal)
    const version = z.string().parse(rows[0]?.at(-1))
    return new FunctionList(version, z.array(rowSchema).parse(rows.map(row => row.slice(0, -1))))
  }
  try {
    // Aggregate functions take none, which the engine does not say: `argMax(x, version)` is a column.
    return await read('coalesce(higher_order, NOT is_aggregate)')
  } catch (error) {
    if (error instanceof WarehouseError && error.kind === 'unknown_name') return await read(MAY_BE_HIGHER_ORDER)
    throw error
  }
}

/** The listed name that is left when combinators are taken off; the name itself when none is. */
function withoutCombinators(name: string, listed: ReadonlySet<string>): string {
  for (const combinator of AGGREGATE_COMBINATORS) {
    if (!name.endsWith(combinator) || name.length === combinator.length) continue
    const inner = name.slice(0, -combinator.length)
    const found = listed.has(inner) ? inner : withoutCombinators(inner, listed)
    if (listed.has(found)) return found
  }
  return name
}
