import type { ClientBase } from 'pg'
import { z } from 'zod'
import type { GuardScope } from '../../warehouse/sql-guard.ts'
import { refuse, refuseFunction, refuseTable, refuseType, refuseXml } from './refusal.ts'
import { dottedNameAt, nameOf, type SqlPiece } from './sql-text.ts'

/** A name of several parts, such as `shop.orders`. */
interface QualifiedName {
  readonly parts: readonly string[]
  readonly place: 'type' | 'function' | 'collation' | 'other'
}

const SERVER_SCHEMA = 'pg_catalog'
/** A name of several parts after one of these is a type's. */
const BEFORE_TYPE = /^(?:as|returning|setof)$/i

/**
 * Judges names with a schema before the server sees the query. The analysis itself converts literals, which runs the checks of
 * domains and the input functions of types. The search path is empty, so whatever a user has made needs its schema.
 * It reads the same for what is hidden and for what does not exist.
 * @throws Refusal
 */
export async function judgeQualifiedNames(client: ClientBase, pieces: readonly SqlPiece[], scope: GuardScope): Promise<void> {
  if (pieces.some(({ text }, at) => /^xmltable$/i.test(text) && pieces[at + 1]?.text === '(')) refuseXml()
  if (pieces.some((_, at) => namesOperator(pieces, at)))
    refuse('function', 'Operators may not be written with a schema: only the server’s own are available.')
  const lists = columnLists(pieces)
  const names = pieces.flatMap((_, at) => qualifiedNameAt(pieces, at, lists) ?? [])
  const hasTypes = names.some(({ place, parts: [schema] }) => place === 'type' && schema !== SERVER_SCHEMA)
  const enumerations = hasTypes ? await enumerationsOf(client, scope) : new Set<string>()
  const introduced = introducedNames(pieces, scope)
  for (const { parts, place } of names) {
    const [schema = '', name = ''] = parts
    const whole = parts.join('.')
    if (schema === SERVER_SCHEMA && parts.length === 2) continue
    if (place === 'type' && !enumerations.has(whole)) refuseType(whole)
    if (place === 'function') refuseFunction(whole)
    if (place === 'collation') refuse('identifier', 'Only the server’s own collations are available, such as COLLATE "C".')
    // Any other name begins with a table's alias, which stands elsewhere on its own.
    if (place === 'other' && !introduced.has(schema) && !namesTable(parts, scope)) refuseTable(`${schema}.${name}`, scope)
  }
}

/** Whether the name begins with a table of the scope, also after the name of the database. */
function namesTable([first, second, third]: readonly string[], { tables }: GuardScope): boolean {
  return tables.has(`${first}.${second}`) || tables.has(`${second}.${third}`)
}

/** Returns the names that stand on their own somewhere, as aliases do. An alias may not be called like a schema of the scope. */
function introducedNames(pieces: readonly SqlPiece[], { tables }: GuardScope): ReadonlySet<string> {
  const alone = pieces.filter(({ kind }, at) => kind === 'name' && pieces[at + 1]?.text !== '.').map(({ text }) => nameOf(text))
  const [schemas, names] = [0, 1].map(part => new Set([...tables].map(table => table.split('.')[part])))
  return new Set(alone.filter(name => schemas?.has(name) !== true || names?.has(name)))
}

function qualifiedNameAt(pieces: readonly SqlPiece[], first: number, lists: ReadonlySet<number>): QualifiedName | undefined {
  if (pieces[first]?.kind !== 'name' || pieces[first - 1]?.text === '.') return undefined
  const { parts, end } = dottedNameAt(pieces, first)
  if (parts.length < 2) return undefined
  return { parts, place: lists.has(first) ? 'type' : placeOf(pieces.slice(Math.max(0, first - 2), first), pieces[end]) }
}

/** Returns the places inside `COLUMNS (…)` of JSON_TABLE. Any name of several parts is taken for a type's there. */
function columnLists(pieces: readonly SqlPiece[]): ReadonlySet<number> {
  const places = new Set<number>()
  let depth = 0
  for (const [at, { text }] of pieces.entries()) {
    if (text === '(' && (depth > 0 || /^columns$/i.test(pieces[at - 1]?.text ?? ''))) depth++
    else if (text === ')' && depth > 0) depth--
    if (depth > 0) places.add(at)
  }
  return places
}

function placeOf(before: readonly SqlPiece[], after: SqlPiece | undefined): QualifiedName['place'] {
  const [last = '', second] = before.map(({ text }) => text).reverse()
  if ((last === ':' && second === ':') || BEFORE_TYPE.test(last) || after?.kind === 'text') return 'type'
  if (after?.text === '(') return 'function'
  return /^collate$/i.test(last) ? 'collation' : 'other'
}

function namesOperator(pieces: readonly SqlPiece[], at: number): boolean {
  const [word, bracket, schema, dot] = [0, 1, 2, 3].map(offset => pieces[at + offset]?.text ?? '')
  return /^operator$/i.test(word ?? '') && bracket === '(' && dot === '.' && nameOf(schema ?? '') !== SERVER_SCHEMA
}

const rowsSchema = z.array(z.object({ name: z.string() }))

const ENUMERATIONS = `WITH columns AS (
  SELECT DISTINCT a.atttypid FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname || '.' || c.relname = ANY ($1::text[]) AND a.attnum > 0 AND NOT a.attisdropped
), enumerations AS (
  SELECT e.oid, e.typarray FROM columns JOIN pg_catalog.pg_type t ON t.oid = columns.atttypid
    JOIN pg_catalog.pg_type e ON e.oid IN (t.oid, t.typelem, t.typbasetype) WHERE e.typtype = 'e'
)
SELECT n.nspname || '.' || t.typname AS name
FROM enumerations e JOIN pg_catalog.pg_type t ON t.oid IN (e.oid, e.typarray) JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace`

/** Returns the enumerations of the scope's columns, and the lists of them. Reading such a literal runs no code of a user. */
async function enumerationsOf(client: ClientBase, { tables }: GuardScope): Promise<ReadonlySet<string>> {
  const { rows } = await client.query({ name: 'clew_enumerations', text: ENUMERATIONS, values: [[...tables]] })
  return new Set(rowsSchema.parse(rows).map(({ name }) => name))
}
