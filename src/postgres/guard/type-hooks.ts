import type { ClientBase } from 'pg'
import { z } from 'zod'
import { type Rejection, rejection } from '../../warehouse/guard/rejection.ts'
import type { QueryFacts } from './query-facts.ts'
import { FIRST_USER_ID, HOOK_KINDS, type Hook, type ServerObjects } from './server-objects.ts'

/** The ways to a user's function that no query names, with the nodes that take them without naming a function either. */
const HOOKS = {
  json: { nodes: ['JSONCONSTRUCTOREXPR'], what: 'makes JSON from a value whose type users have given a conversion' },
  text: { nodes: [], what: 'makes a text from a value whose type users have given a conversion' },
  order: {
    nodes: ['MINMAX', 'MINMAXEXPR', 'CTECYCLECLAUSE', 'CTESEARCHCLAUSE'],
    what: 'compares values, lists or rows, and reads a column whose type users have given an order',
  },
} as const satisfies Record<Hook, { readonly nodes: readonly string[]; readonly what: string }>

const rowsSchema = z.tuple([z.record(z.enum(HOOK_KINDS), z.boolean())])

/** A value can hold values of other types: those of a list, a row, a domain or a range. An implicit cast without a function shares operator classes. */
const SQL = `WITH RECURSIVE held(oid) AS (
  SELECT pg_catalog.unnest($1::oid[])
  UNION
  SELECT inner_type.oid FROM held h CROSS JOIN LATERAL (
    SELECT t.typelem FROM pg_catalog.pg_type t WHERE t.oid = h.oid
    UNION ALL SELECT t.typbasetype FROM pg_catalog.pg_type t WHERE t.oid = h.oid
    UNION ALL SELECT a.atttypid FROM pg_catalog.pg_type t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.typrelid
      WHERE t.oid = h.oid AND t.typrelid <> 0 AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL SELECT r.rngsubtype FROM pg_catalog.pg_range r WHERE h.oid IN (r.rngtypid, r.rngmultitypid)
    UNION ALL SELECT r.rngtypid FROM pg_catalog.pg_range r WHERE r.rngmultitypid = h.oid
    UNION ALL SELECT c.casttarget FROM pg_catalog.pg_cast c WHERE c.castsource = h.oid AND c.castmethod = 'b' AND c.castcontext = 'i' AND c.oid >= ${FIRST_USER_ID}
  ) AS inner_type(oid) WHERE inner_type.oid <> 0
), casts AS (
  SELECT c.casttarget FROM pg_catalog.pg_cast c JOIN held h ON h.oid = c.castsource WHERE c.oid >= ${FIRST_USER_ID} AND c.castfunc <> 0
)
SELECT
  EXISTS (SELECT FROM casts WHERE casttarget IN ('json'::pg_catalog.regtype, 'jsonb'::pg_catalog.regtype)) AS json,
  EXISTS (SELECT FROM casts WHERE casttarget = 'text'::pg_catalog.regtype) AS text,
  EXISTS (SELECT FROM pg_catalog.pg_opclass o JOIN held h ON h.oid = o.opcintype
    JOIN pg_catalog.pg_am m ON m.oid = o.opcmethod WHERE o.oid >= ${FIRST_USER_ID} AND o.opcdefault AND m.amname IN ('btree', 'hash'))
    OR EXISTS (SELECT FROM pg_catalog.pg_range r JOIN held h ON h.oid = r.rngtypid
      WHERE r.rngsubopc >= ${FIRST_USER_ID} OR r.rngcanonical >= ${FIRST_USER_ID}) AS "order"`

/**
 * Finds a value for which the server would look up a user's function by itself, while the query runs. JSON is made by a cast to
 * json, some texts by a cast to text, and lists and rows compare by the default operator class of what they hold. No tree names these functions.
 */
export async function findHookFault(
  client: ClientBase,
  facts: QueryFacts,
  server: ServerObjects,
): Promise<Rejection | undefined> {
  const called = [...facts.functions, ...[...facts.operators].map(operator => server.operators.get(operator) ?? 0)]
  const taken = HOOK_KINDS.filter(
    kind => HOOKS[kind].nodes.some(node => facts.kinds.has(node)) || called.some(oid => server.hooks[kind].has(oid)),
  )
  if (taken.length === 0) return undefined
  const { rows } = await client.query({ name: 'clew_type_hooks', text: SQL, values: [[...facts.usedTypes]] })
  const [hooked] = rowsSchema.parse(rows)
  const found = taken.find(kind => hooked[kind])
  if (found === undefined) return undefined
  return rejection('function', `The query ${HOOKS[found].what} of its own: select that column plainly, or leave it out.`)
}
