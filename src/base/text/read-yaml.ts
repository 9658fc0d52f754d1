import { Composer, type CST, type Document, isMap, isNode, isScalar, isSeq, Lexer, LineCounter, Parser, visit } from 'yaml'
import type { z } from 'zod'
import { errorMessage } from '../errors.ts'
import { BASE_LIMITS } from '../limits.ts'
import { type Mistake, propertyPath, readShape } from './shape-mistakes.ts'

export type ReadYaml<Value> =
  | {
      readonly ok: true
      readonly value: Value
      /** Writes a mistake as a sentence with its line number. Use it for mistakes that the schema cannot detect. */
      placed(mistake: Mistake): string
    }
  | { readonly ok: false; readonly mistakes: readonly string[] }

export interface YamlOptions {
  /** Whether to read every value as text. If a long Discord id were read as a number, it would lose digits. */
  readonly isTextOnly?: boolean
  /** The value to return for an empty text. */
  readonly empty?: unknown
  /** The message for an alias (`*name`). Set it where aliases are not allowed. */
  readonly noAliases?: string
}

/** Parses YAML from a person. Returns the value, or all mistakes such as "line 3: name is missing". */
export function readYaml<Value>(
  text: string,
  schema: z.ZodType<Value>,
  { isTextOnly = false, empty = null, noAliases }: YamlOptions = {},
): ReadYaml<Value> {
  const lines = new LineCounter()
  const { document, isAlone, isTooDeep } = documentOf(text, { schema: isTextOnly ? 'failsafe' : 'core', lines })
  const at = (offset: number, sentence: string) => {
    const { line, col } = lines.linePos(offset)
    return `line ${line}, column ${col}: ${sentence}`
  }
  // The message names the whole path. The line is that of the last part of the path that the file contains.
  const placed = ({ path, sentence }: Mistake) =>
    `line ${lines.linePos(offsetOf(document, path)).line}: ${propertyPath(path)} ${sentence}`
  if (isTooDeep) return { ok: false, mistakes: [notYaml('it is nested too deep')] }
  const faults = [...document.errors, ...document.warnings].map(({ pos, message }) => at(pos[0], notYaml(message)))
  if (!isAlone) faults.push(at(document.range[2], notYaml('it has several documents')))
  const mistakes = [...faults, ...mistakesOfKeys(document).map(({ offset, sentence }) => at(offset, sentence))]
  if (mistakes.length > 0) return { ok: false, mistakes }
  const aliases = noAliases === undefined ? [] : offsetsOfAliases(document).map(offset => at(offset, noAliases))
  if (aliases.length > 0) return { ok: false, mistakes: aliases }
  let written: unknown
  try {
    written = document.toJS({ maxAliasCount: BASE_LIMITS.yaml.aliases }) ?? empty
  } catch (error) {
    return { ok: false, mistakes: [`this is not YAML: ${errorMessage(error)}`] }
  }
  const read = readShape(schema, written)
  return read.ok ? { ok: true, value: read.value, placed } : { ok: false, mistakes: read.mistakes.map(placed) }
}

function documentOf(text: string, { schema, lines }: { readonly schema: 'failsafe' | 'core'; readonly lines: LineCounter }) {
  // The library's own check for duplicate keys is off, because it compares every pair of keys, which takes quadratic time.
  const composer = new Composer({ schema, uniqueKeys: false, prettyErrors: false })
  const levels = { tooMany: false }
  const [document, other] = composer.compose(tokensOf(text, lines, levels), true, text.length)
  if (document === undefined) throw new Error('a YAML text has at least an empty document')
  return { document, isAlone: other === undefined, isTooDeep: levels.tooMany }
}

function* tokensOf(text: string, lines: LineCounter, levels: { tooMany: boolean }): Generator<CST.Token, void> {
  lines.addNewLine(0)
  const parser = new Parser(lines.addNewLine)
  let open = 0
  let inLine = 0
  let faults = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === '[' || lexeme === '{') open++
    if (lexeme === ']' || lexeme === '}') open = Math.max(0, open - 1)
    if (/^\r?\n/.test(lexeme)) inLine = 0
    // Each `-` in a line opens a level: `- - - a` is a list in a list in a list.
    if (open === 0 && /^[-?:]$/.test(lexeme)) inLine++
    levels.tooMany = open > BASE_LIMITS.yaml.levels || inLine > BASE_LIMITS.yaml.levels
    if (levels.tooMany || faults >= BASE_LIMITS.yaml.faults) break
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') faults++
      yield token
    }
  }
  yield* parser.end()
}

/**
 * Finds duplicate keys, and keys that are lists or mappings. The latter are refused, because the library turns such a key into
 * text, and the text doubles in length with each level of nesting.
 */
function mistakesOfKeys(document: Document): readonly { readonly offset: number; readonly sentence: string }[] {
  const mistakes: { offset: number; sentence: string }[] = []
  visit(document, {
    Map: (_, { items }) => {
      const known = new Set<unknown>()
      for (const { key } of items) {
        const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0
        if (isMap(key) || isSeq(key)) mistakes.push({ offset, sentence: 'a key must be a text' })
        if (!isScalar(key)) continue
        if (known.has(key.value)) mistakes.push({ offset, sentence: 'stands twice: put both together' })
        known.add(key.value)
      }
    },
  })
  return mistakes
}

function notYaml(message: string): string {
  return `this is not YAML: ${message.replace(/\s+/g, ' ')}`
}

function offsetsOfAliases(document: Document): readonly number[] {
  const offsets: number[] = []
  visit(document, { Alias: (_, alias) => void offsets.push(alias.range?.[0] ?? 0) })
  return offsets
}

/**
 * Returns the offset of the key or list item at the end of a path. If it does not exist, returns the offset of the last part of
 * the path that exists.
 */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(key) === String(part))
      if (pair === undefined) break
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(part)]
      if (isNode(node)) offset = node.range?.[0] ?? offset
    } else break
  }
  return offset
}
