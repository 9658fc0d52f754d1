import { FUNCTION_WORDS } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'

/** A value of a text column, with the rows and columns that hold this value. */
export interface Entity {
  readonly key: string
  readonly rows: number[]
  /** Values of one column alone share a set. */
  columns: Set<string>
  /** The value does not begin with a lower-case letter. */
  readonly isCapital: boolean
}

/** A part of a value: `tyo` and `sin` of `tyo:sin`, or an element of a list with commas. */
export interface ValuePart extends Entity {
  /** The part is an ordinary word. Then it counts as a name only in quotes. */
  readonly plain: boolean
  /** The number of different values that contain the part. */
  readonly values: number
}

export interface NameIndex {
  readonly entities: ReadonlyMap<string, Entity>
  /** The parts of values. A part that is also a value of its own is left out. */
  readonly parts: ReadonlyMap<string, ValuePart>
  /** The number of different values, per column. */
  readonly distinct: ReadonlyMap<string, number>
  /** For each first word of a name of several words: the number of words in the longest name that begins with that word. */
  readonly beginnings: ReadonlyMap<string, number>
}

/** Collects the names of a result cell by cell. */
export class NameCollector {
  readonly #entities = new Map<string, Entity>()
  readonly #parts = new Map<string, ValuePart>()
  readonly #distinct = new Map<string, number>()
  /** For each column, a set with only this column. A result may have hundreds of thousands of names. */
  readonly #alone = new Map<string, Set<string>>()

  /** Adds the value of a text column, and the value's parts. */
  add(cell: string, row: number, column: string): void {
    this.addWhole(cell, row, column)
    this.#addParts(cell, row, column)
  }

  addWhole(text: string, row: number, column: string): void {
    if (text === '' || text.length > CHECK_LIMITS.rows.nameCharacters) return
    const key = normalName(text)
    const known = this.#entities.get(key)
    if (known === undefined)
      this.#entities.set(key, { key, rows: [row], columns: this.#only(column), isCapital: /^\P{Ll}/u.test(text) })
    else if (!this.#occurs(known, row, column)) return
    this.#distinct.set(column, (this.#distinct.get(column) ?? 0) + 1)
  }

  /** Adds a place to a known value. Returns whether the column is new. */
  #occurs(known: Entity, row: number, column: string): boolean {
    if (known.rows.at(-1) !== row) known.rows.push(row)
    if (known.columns.has(column)) return false
    if (known.columns.size === 1) known.columns = new Set(known.columns)
    known.columns.add(column)
    return true
  }

  #only(column: string): Set<string> {
    const known = this.#alone.get(column) ?? new Set([column])
    this.#alone.set(column, known)
    return known
  }

  *finish(): Generator<void, NameIndex> {
    for (const key of this.#parts.keys()) if (this.#entities.has(key)) this.#parts.delete(key)
    const beginnings = new Map<string, number>()
    for (const [at, key] of [...this.#entities.keys(), ...this.#parts.keys()].entries()) {
      const [first = '', ...more] = /^[a-z0-9]+$/.test(key) ? [] : nameTokens(key)
      if (more.length > 0) beginnings.set(first, Math.max(beginnings.get(first) ?? 0, more.length + 1))
      if (at % CHECK_LIMITS.perStep === CHECK_LIMITS.perStep - 1) yield
    }
    return { entities: this.#entities, parts: this.#parts, distinct: this.#distinct, beginnings }
  }

  /** Adds the pieces between separators, or between the commas of a list. */
  #addParts(cell: string, row: number, column: string): void {
    if (cell.length > CHECK_LIMITS.rows.compoundCharacters || !/[:/.,\s]/.test(cell)) return
    const own = normalName(cell)
    const listed = cell.split(',').map(normalName)
    const isList = listed.length > 1 && listed.every(element => element !== '' && element.split(' ').length <= 3)
    const elements = new Set(isList ? listed : [])
    for (const key of new Set([...elements, ...cell.split(/[:/.,\s]+/).map(normalName)])) {
      if (key.length < 2 || !/\p{L}/u.test(key) || key === own) continue
      const isCode = key.length >= 4 && /[\d_-]/.test(key)
      const known = this.#parts.get(key)
      if (known === undefined && this.#parts.size >= CHECK_LIMITS.rows.nameParts) return
      const part = known ?? {
        key,
        rows: [],
        columns: new Set<string>(),
        isCapital: /^\P{Ll}/u.test(cell),
        plain: !isCode && !elements.has(key),
        values: 0,
      }
      if (part.rows.at(-1) !== row) part.rows.push(row)
      part.columns.add(column)
      const values = this.#entities.get(own)?.rows.at(0) === row ? part.values + 1 : part.values
      this.#parts.set(key, { ...part, values, plain: part.plain && !elements.has(key) })
    }
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
