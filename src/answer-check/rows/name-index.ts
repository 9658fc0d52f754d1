import { FUNCTION_WORDS } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'

/** A value of a text column, with the rows and columns that hold this value. */
export interface Entity {
  readonly key: string
  readonly rows: number[]
  readonly columns: Set<string>
  /** The value does not begin with a lower-case letter. */
  readonly isCapital: boolean
}

export interface NameIndex {
  readonly entities: ReadonlyMap<string, Entity>
  /** The number of different values, per column. */
  readonly distinct: ReadonlyMap<string, number>
  /** For each first word of a name: the number of words in the longest name that begins with that word. */
  readonly beginnings: ReadonlyMap<string, number>
  /** In how many names each word occurs. */
  readonly words: ReadonlyMap<string, number>
}

/** Collects the names of a result cell by cell. */
export class NameCollector {
  readonly #entities = new Map<string, Entity>()
  readonly #distinct = new Map<string, number>()

  /** Adds the value of a text column, and the names in it: `tyo-dz02` of `tyo-dz02:sin-dz01`, and the elements of a list. */
  add(cell: string, row: number, column: string): void {
    this.addWhole(cell, row, column)
    if (cell.length > CHECK_LIMITS.rows.compoundCharacters) return
    const elements = cell.split(',').map(normalName)
    const isList = elements.length > 1 && elements.every(element => element !== '' && element.split(' ').length <= 3)
    const codes = cell.split(/[:/.,\s]+/).filter(piece => piece.length >= 4 && /[\d_]/.test(piece) && /\p{L}/u.test(piece))
    for (const name of [...(isList ? elements : []), ...codes]) if (name.length < cell.length) this.addWhole(name, row, column)
  }

  addWhole(text: string, row: number, column: string): void {
    if (text === '' || text.length > CHECK_LIMITS.rows.nameCharacters) return
    const key = normalName(text)
    const known = this.#entities.get(key)
    const entity = known ?? { key, rows: [], columns: new Set<string>(), isCapital: /^\P{Ll}/u.test(text) }
    if (known === undefined) this.#entities.set(key, entity)
    if (entity.rows.at(-1) !== row) entity.rows.push(row)
    if (entity.columns.has(column)) return
    entity.columns.add(column)
    this.#distinct.set(column, (this.#distinct.get(column) ?? 0) + 1)
  }

  *finish(): Generator<void, NameIndex> {
    const beginnings = new Map<string, number>()
    const words = new Map<string, number>()
    for (const [at, key] of [...this.#entities.keys()].entries()) {
      const tokens = nameTokens(key)
      const first = tokens[0] ?? ''
      beginnings.set(first, Math.max(beginnings.get(first) ?? 0, tokens.length))
      for (const word of new Set(key.split(/[:/.,\s]+/))) words.set(word, (words.get(word) ?? 0) + 1)
      if (at % CHECK_LIMITS.rows.namesPerStep === CHECK_LIMITS.rows.namesPerStep - 1) yield
    }
    return { entities: this.#entities, distinct: this.#distinct, beginnings, words }
  }
}

/** Returns the form in which names are compared: lower case, and single spaces. */
export function normalName(text: string): string {
  return text
    .toLowerCase()
    .replace(/\u0307/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

export function nameTokens(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []
}

/** Whether a name can be recognised in a sentence. An ordinary word cannot. */
export function isTellingName(key: string): boolean {
  return !FUNCTION_WORDS.has(key) && !(key.length === 1 && !/[\p{Lu}\d]/u.test(key))
}
