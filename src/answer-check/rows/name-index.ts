import { FUNCTION_WORDS } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'

/** A value of a text column, with the rows and columns that hold this value. */
export interface Entity {
  readonly rows: number[]
  readonly columns: string[]
  /** The value does not begin with a lower-case letter. */
  readonly isCapital: boolean
}

/** A part of a value: `tyo` and `sin` of `tyo:sin`, or an element of a list with commas. */
interface ValuePart extends Entity {
  /** The part is an ordinary word. Then it counts as a name only in quotes. */
  plain: boolean
  /** The number of different values that contain the part. */
  values: number
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

  /** Adds the value of a text column, and the value's parts. */
  add(cell: string, row: number, column: string): void {
    this.addWhole(cell, row, column)
    this.#addParts(cell, row, column)
  }

  addWhole(text: string, row: number, column: string): void {
    if (text === '' || text.length > CHECK_LIMITS.rows.nameCharacters) return
    const key = normalName(text)
    const entity = this.#entities.get(key) ?? { rows: [], columns: [], isCapital: /^\P{Ll}/u.test(text) }
    if (!entity.columns.includes(column)) this.#distinct.set(column, (this.#distinct.get(column) ?? 0) + 1)
    place(entity, row, column)
    this.#entities.set(key, entity)
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
    const elements = new Set(listed.length > 1 && listed.every(element => element.split(' ').length <= 3) ? listed : [])
    const isNew = this.#entities.get(own)?.rows[0] === row
    for (const key of new Set([...elements, ...cell.split(/[:/.,\s]+/).map(normalName)])) {
      if (key.length < 2 || !/\p{L}/u.test(key) || key === own) continue
      const part = this.#parts.get(key) ?? { rows: [], columns: [], isCapital: /^\P{Ll}/u.test(cell), plain: true, values: 0 }
      if (part.values === 0 && this.#parts.size >= CHECK_LIMITS.rows.nameParts) return
      place(part, row, column)
      part.plain &&= !elements.has(key) && !(key.length >= 4 && /[\d_-]/.test(key))
      part.values += isNew ? 1 : 0
      this.#parts.set(key, part)
    }
  }
}

function place({ rows, columns }: Entity, row: number, column: string): void {
  if (rows.at(-1) !== row) rows.push(row)
  if (!columns.includes(column)) columns.push(column)
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
