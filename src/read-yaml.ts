import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import { errorMessage } from './errors.ts'
import { type Mistake, pathText, readShape } from './shape-mistakes.ts'

export type ReadYaml<Value> =
  | {
      readonly ok: true
      readonly value: Value
      /** A mistake that the schema cannot detect, with its line. */
      placed(mistake: Mistake): string
    }
  | { readonly ok: false; readonly mistakes: readonly string[] }

export interface YamlOptions {
  /** Keeps every value as text, since Discord ids would lose digits as numbers. */
  readonly isTextOnly?: boolean
  /** The value of an empty text. */
  readonly empty?: unknown
  /** The message about an alias, `*name`, where none is allowed. */
  readonly noAliases?: string
}

/** More aliases are refused, since they can expand a document without limit. */
const MOST_ALIASES = 100

/** Parses YAML from a person. Returns the value, or all mistakes as "line 3: name is missing". */
export function readYaml<Value>(
  text: string,
  schema: z.ZodType<Value>,
  { isTextOnly = false, empty = null, noAliases }: YamlOptions = {},
): ReadYaml<Value> {
  const lines = new LineCounter()
  const form = isTextOnly ? 'failsafe' : 'core'
  const document = parseDocument(text, { schema: form, lineCounter: lines, uniqueKeys: true, prettyErrors: false })
  const at = (offset: number, sentence: string) => {
    const { line, col } = lines.linePos(offset)
    return `line ${line}, column ${col}: ${sentence}`
  }
  // The path locates the mistake within the line.
  const placed = ({ path, sentence }: Mistake) =>
    `line ${lines.linePos(offsetOf(document, path)).line}: ${pathText(path)} ${sentence}`
  const faults = [...document.errors, ...document.warnings].map(({ pos, code, message }) => at(pos[0], faultOf(code, message)))
  if (faults.length > 0) return { ok: false, mistakes: faults }
  const aliases = noAliases === undefined ? [] : offsetsOfAliases(document).map(offset => at(offset, noAliases))
  if (aliases.length > 0) return { ok: false, mistakes: aliases }
  let written: unknown
  try {
    written = document.toJS({ maxAliasCount: MOST_ALIASES }) ?? empty
  } catch (error) {
    return { ok: false, mistakes: [`this is not YAML: ${errorMessage(error)}`] }
  }
  const read = readShape(schema, written)
  return read.ok ? { ok: true, value: read.value, placed } : { ok: false, mistakes: read.mistakes.map(placed) }
}

function faultOf(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'stands twice: put both together'
  return `this is not YAML: ${message.replace(/\s+/g, ' ')}`
}

function offsetsOfAliases(document: Document): readonly number[] {
  const offsets: number[] = []
  visit(document, { Alias: (_, alias) => void offsets.push(alias.range?.[0] ?? 0) })
  return offsets
}

/** Returns the offset of a path's last part (a mapping's key, a list's item), as far as the path exists. */
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
