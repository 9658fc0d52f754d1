import { TABLE_NAMES } from '../fuzz-world.ts'
import type { Random } from '../random.ts'

/** Names that already mean something: tables inside and outside the scopes, columns, databases and functions. */
const TAKEN = [
  ...['alpha', 'beta', 'gamma', 'secrets', 'users', 'vault', 'Alpha', 'k', 'lab', 'v_offer', 'v_secret'],
  ...['ids', 'keys', 'id', 'x', 'n', 'y'],
  ...['v', 'f', 'm', 'day', 'tags', 'nums', 'pair', 'nest', 'side', 'system', 'one', 'file', 'number'],
]
const FREE = ['a', 'b', 'c', 't', 'u', 'q', 'r', 's', 'w', 'z', 'p', 'd1', 'd2']
/** Names that need quotes, and names that look like a part of EXPLAIN's output. */
const STRANGE = [
  ...['`a b`', '`SELECT`', '`from`', '`Ümläut`', '`%`', '"two words"', '`a(b)`', '`/*`', '`--`', "`it's`", '`{x}`', '`@x`'],
  ...['`IDENTIFIER id: 3`', '`identifier: secrets`', '`JOIN TREE`', '`1`', '`*`', '`COLUMNS`', '`數據`', '`x y z`'],
]
/** Names that the guard always refuses. So they are chosen rarely. */
const FORGED = ['`a.b`', '`a, b`', '`lab.secrets`', '`x\\ny`', '`a\\\\b`', '`alias: q, identifier: alpha`']

/** Probabilities that decide how unusual the names in a query are. */
export interface NameMood {
  /** The probability that a new name already means something else. */
  readonly taken: number
  readonly strange: number
}

export class Names {
  readonly #random: Random
  readonly #mood: NameMood

  constructor(random: Random, mood: NameMood) {
    this.#random = random
    this.#mood = mood
  }

  /** Returns a new name for a CTE, alias, parameter or window. */
  fresh(): string {
    const random = this.#random
    if (random.chance(this.#mood.strange)) return random.chance(0.9) ? random.pick(STRANGE) : random.pick(FORGED)
    return random.chance(this.#mood.taken) ? this.taken() : `${random.pick(FREE)}${random.chance(0.4) ? random.int(4) : ''}`
  }

  taken(): string {
    return this.#random.pick(TAKEN)
  }

  /** Returns the name of any table, inside or outside the scope. The name may lack its database. */
  anyTable(shape: 'wide' | 'narrow'): string {
    const name = this.#random.pick(TABLE_NAMES[shape])
    const dot = name.indexOf('.')
    const bare = name.slice(dot + 1)
    const table = /^\w+$/.test(bare) ? bare : `\`${bare}\``
    return this.#random.chance(0.5) ? table : `${name.slice(0, dot)}.${table}`
  }
}
