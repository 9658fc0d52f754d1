import { shown } from '../../warehouse/guard/rejection.ts'
import { findHiddenCharacter, findLengthFault } from '../../warehouse/guard/source-text.ts'
import { Refusal, refuse, refuseFunction } from './refusal.ts'

/** A piece of SQL, as Postgres splits it. `name` has its quotes, `text` may be a literal of any form. */
export interface SqlPiece {
  readonly kind: 'blank' | 'comment' | 'text' | 'name' | 'number' | 'parameter' | 'sign'
  readonly text: string
}

/** The text that may be analyzed, and its pieces without blanks. */
export interface SqlText {
  readonly sql: string
  readonly pieces: readonly SqlPiece[]
}

/**
 * The pieces, in the order in which they are tried. Escapes with `\` exist only in E'…'. A dollar inside a name belongs to the
 * name. Block comments nest, so they are read by hand.
 */
const PIECES: readonly (readonly [SqlPiece['kind'], RegExp])[] = [
  ['blank', /[ \t\n\r\f\v]+/y],
  ['comment', /--[^\n\r]*/y],
  ['text', /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y],
  ['text', /(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*'/y],
  ['text', /\$(?:[A-Za-z_\x80-\uffff][A-Za-z0-9_\x80-\uffff]*)?\$/y],
  ['name', /"(?:[^"]|"")*"/y],
  ['name', /[A-Za-z_\x80-\uffff][A-Za-z0-9_$\x80-\uffff]*/y],
  ['number', /\.?\d[A-Za-z0-9_.]*/y],
  ['parameter', /\$\d+/y],
  ['sign', /[^"'$]/y],
]

/** The first words of a query that reads. `TABLE x` and VALUES are short for a SELECT. */
const BEGINNINGS: ReadonlySet<string> = new Set(['(', 'select', 'with', 'table', 'values'])
/** Control characters in a name could break the lines of the tree that the server prints. */
const CONTROL = /\p{C}/u
/** Their values name objects of the server, and reading one tells whether the object exists. */
const OBJECT_TYPES = /^reg(?:class|collation|dictionary|namespace|oper|operator|proc|procedure|role|type)$/

/**
 * Checks a query's text before the server gets it. Comments and a final semicolon are left out of the returned text.
 * @param isRefused whether every function of a name is refused; refusing by name first tells nothing about its arguments
 * @throws Refusal
 */
export function readSqlText(sql: string, isRefused: (name: string) => boolean): SqlText {
  const long = findLengthFault(sql)
  if (long !== undefined) throw new Refusal(long)
  const all = splitSql(sql) ?? refuse('syntax', 'A quotation or a comment does not end.')
  const textsOf = (isLiteral: boolean) => all.filter(({ kind }) => (kind === 'text') === isLiteral).map(({ text }) => text)
  const hidden = findHiddenCharacter(textsOf(false), textsOf(true))
  if (hidden !== undefined) throw new Refusal(hidden)
  const kept = all.filter(({ kind }) => kind !== 'blank' && kind !== 'comment')
  const end = kept.at(-1)?.text === ';' ? all.findLastIndex(({ text }) => text === ';') : all.length
  const written = all.slice(0, end)
  const pieces = written.filter(({ kind }) => kind !== 'blank' && kind !== 'comment')
  const text = written.map(({ kind, text: own }) => (kind === 'comment' ? ' ' : own)).join('')
  judgePieces(pieces, isRefused)
  return { sql: text.trim(), pieces }
}

/** Splits SQL as Postgres does with `standard_conforming_strings`. Undefined if a quotation or comment does not end. */
export function splitSql(sql: string): readonly SqlPiece[] | undefined {
  const pieces: SqlPiece[] = []
  for (let at = 0; at < sql.length; at += pieces.at(-1)?.text.length ?? 0) {
    const piece = pieceAt(sql, at)
    if (piece === undefined) return undefined
    pieces.push(piece)
  }
  return pieces
}

function pieceAt(sql: string, at: number): SqlPiece | undefined {
  if (sql.startsWith('/*', at)) return blockComment(sql, at)
  for (const [kind, pattern] of PIECES) {
    pattern.lastIndex = at
    const text = pattern.exec(sql)?.[0]
    if (text === undefined) continue
    if (!text.startsWith('$') || kind !== 'text') return { kind, text }
    const end = sql.indexOf(text, at + text.length)
    return end === -1 ? undefined : { kind, text: sql.slice(at, end + text.length) }
  }
  return undefined
}

function blockComment(sql: string, at: number): SqlPiece | undefined {
  const marks = /\/\*|\*\//g
  marks.lastIndex = at
  let depth = 0
  for (let mark = marks.exec(sql); mark !== null; mark = marks.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1
    if (depth === 0) return { kind: 'comment', text: sql.slice(at, marks.lastIndex) }
  }
  return undefined
}

function judgePieces(pieces: readonly SqlPiece[], isRefused: (name: string) => boolean): void {
  const first = pieces[0]?.text.toLowerCase() ?? ''
  if (!BEGINNINGS.has(first)) refuse('not_select', 'Only one SELECT is allowed: begin the query with SELECT or WITH.')
  for (const [at, { kind, text }] of pieces.entries()) {
    const next = pieces[at + 1]?.text
    if (text === ';') refuse('several_statements', 'Only one statement is allowed; leave out what follows the semicolon.')
    // After E'…', a text on the next line would have escapes too, which `splitSql` does not know.
    if (kind === 'text' && /^e/i.test(text) && next?.startsWith("'")) refuse('syntax', 'Join two texts with ||.')
    if (kind === 'parameter') refuse('parameter', `${text} has no value: write the value itself.`)
    if (kind !== 'name') continue
    if (/^u$/i.test(text) && next === '&' && pieces[at + 2]?.text.startsWith('"'))
      refuse('identifier', 'Write the characters of a name themselves instead of Unicode escapes (U&).')
    if (text.startsWith('"') && CONTROL.test(text))
      refuse('identifier', `The name ${shown(text)} has a character that names may not have.`)
    const name = nameOf(text)
    if (OBJECT_TYPES.test(name)) refuse('identifier', `The type ${shown(name)} is not available.`)
    if (next === '(' && isRefused(name)) refuseFunction(name)
  }
}

/** Returns a name as the server reads it: without quotes, or in lower case. */
export function nameOf(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written.toLowerCase()
}

/** Returns the parts of a name such as `shop.orders` that begins at a piece, and the place of the piece behind it. */
export function dottedNameAt(pieces: readonly SqlPiece[], first: number) {
  const parts: string[] = []
  let end = first
  while (pieces[end]?.kind === 'name') {
    parts.push(nameOf(pieces[end]?.text ?? ''))
    if (pieces[end + 1]?.text !== '.') return { parts, end: end + 1 }
    end += 2
  }
  return { parts, end }
}
