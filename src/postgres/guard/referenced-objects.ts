import type { ClientBase } from 'pg'
import { z } from 'zod'
import type { QueryFacts } from './query-facts.ts'
import { FIRST_USER_ID, HOOK_KINDS } from './server-objects.ts'

/** The objects of users to which a query refers, by their ids, as the server lists them. */
const objectsSchema = z.object({
  /** The relations as `schema.name`, with the names of their columns by number. */
  relations: z
    .array(z.tuple([z.number(), z.string(), z.array(z.tuple([z.number(), z.string()]))]))
    .transform(all => new Map(all.map(([oid, name, columns]) => [oid, { name, columns: new Map(columns) }]))),
  /** The types that users have made. `isOwn` is true for the rows and columns of the relations, and for what these are made of. */
  types: z
    .array(z.tuple([z.number(), z.string(), z.boolean()]))
    .transform(all => new Map(all.map(([oid, name, isOwn]) => [oid, { name, isOwn }]))),
  /** The types that texts of the query name. Null for names of nothing. */
  typesNamed: z.array(z.tuple([z.string(), z.number().nullable()])).transform(all => new Map(all)),
  /** The hooks for which users have made a function, for a type with whose values the query computes. */
  hooks: z.record(z.enum(HOOK_KINDS), z.boolean()),
})
export type ReferencedObjects = z.infer<typeof objectsSchema>

/**
 * `own` are the types of the relations' columns, with the types of their elements, bases and bounds, and the lists of them. `held`
 * are the types of the values inside the values that the query computes with: those of a list, a row, a domain or a range. An
 * implicit cast without a function shares operator classes.
 */
const SQL = `WITH RECURSIVE columns AS (
  SELECT a.attrelid, a.attnum, a.attname, a.atttypid FROM pg_catalog.pg_attribute a
  WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
), own(oid) AS (
  SELECT atttypid FROM columns
  UNION
  SELECT related.oid FROM own o JOIN pg_catalog.pg_type t ON t.oid = o.oid LEFT JOIN pg_catalog.pg_range r ON t.oid IN (r.rngtypid, r.rngmultitypid)
    CROSS JOIN LATERAL (VALUES (t.typelem), (t.typbasetype), (t.typarray), (r.rngsubtype), (r.rngmultitypid)) AS related(oid) WHERE related.oid <> 0
), held(oid) AS (
  SELECT pg_catalog.unnest($4::oid[])
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
  (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(c.oid::bigint, n.nspname || '.' || c.relname, (SELECT coalesce(
      pg_catalog.json_agg(pg_catalog.json_build_array(a.attnum, a.attname)), '[]') FROM columns a WHERE a.attrelid = c.oid))), '[]')
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = ANY ($1::oid[])) AS relations,
  (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(t.oid::bigint, n.nspname || '.' || t.typname,
      t.oid IN (SELECT oid FROM own) OR t.typrelid = ANY ($1::oid[]))), '[]')
    FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace WHERE t.oid = ANY ($2::oid[])) AS types,
  (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(name, pg_catalog.to_regtype(name)::oid::bigint)), '[]')
    FROM pg_catalog.unnest($3::text[]) AS name) AS "typesNamed",
  pg_catalog.json_build_object(
    'json', EXISTS (SELECT FROM casts WHERE casttarget IN ('json'::pg_catalog.regtype, 'jsonb'::pg_catalog.regtype)),
    'text', EXISTS (SELECT FROM casts WHERE casttarget = 'text'::pg_catalog.regtype),
    'order', EXISTS (SELECT FROM pg_catalog.pg_opclass o JOIN held h ON h.oid = o.opcintype
      JOIN pg_catalog.pg_am m ON m.oid = o.opcmethod WHERE o.oid >= ${FIRST_USER_ID} AND o.opcdefault AND m.amname IN ('btree', 'hash'))
      OR EXISTS (SELECT FROM pg_catalog.pg_range r JOIN held h ON h.oid = r.rngtypid
        WHERE r.rngsubopc >= ${FIRST_USER_ID} OR r.rngcanonical >= ${FIRST_USER_ID})) AS hooks`

/** Looks up what users have made. The server's analysis has locked the relations until the transaction ends. */
export async function lookUpObjects(client: ClientBase, facts: QueryFacts): Promise<ReferencedObjects> {
  const userTypes = [...facts.types].filter(oid => oid >= FIRST_USER_ID)
  const values = [[...facts.relations.keys()], userTypes, [...facts.typeNames], [...facts.usedTypes]]
  const { rows } = await client.query({ name: 'clew_referenced_objects', text: SQL, values })
  return objectsSchema.parse(rows[0])
}
