import type { ClientBase } from 'pg'
import { z } from 'zod'
import type { QueryFacts } from './query-facts.ts'
import { FIRST_USER_ID } from './server-objects.ts'

/** A relation that a query reads. */
export interface Relation {
  readonly name: string
  /** The names of its columns, by their numbers. */
  readonly columns: ReadonlyMap<number, string>
  /** The types of its columns. */
  readonly types: ReadonlySet<number>
}

/** The objects of users to which a query refers, by their ids. */
export interface ReferencedObjects {
  /** Relations as `schema.name`. */
  readonly relations: ReadonlyMap<number, Relation>
  /** The types that users have made, each with the types of which it is made. */
  readonly types: ReadonlyMap<number, UserType>
  /** The types that texts of the query name. Undefined for names of nothing. */
  readonly typesNamed: ReadonlyMap<string, number | undefined>
}

interface UserType {
  readonly name: string
  /** The types of its elements, base or bounds, and the list of it. */
  readonly related: readonly number[]
  /** The relation whose rows it describes, or 0. */
  readonly relation: number
}

const columnSchema = z.tuple([z.number(), z.string(), z.number()])
const rowSchema = z.object({
  relations: z.array(z.tuple([z.number(), z.string(), z.array(columnSchema)])),
  types: z.array(z.tuple([z.number(), z.string(), z.array(z.number()), z.number()])),
  named: z.array(z.tuple([z.string(), z.number().nullable()])),
})

const SQL = `WITH columns AS (
  SELECT a.attrelid, a.attnum, a.attname, a.atttypid FROM pg_catalog.pg_attribute a
  WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
)
SELECT
  (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(c.oid::bigint, n.nspname || '.' || c.relname, (SELECT coalesce(
      pg_catalog.json_agg(pg_catalog.json_build_array(a.attnum, a.attname, a.atttypid::bigint)), '[]') FROM columns a WHERE a.attrelid = c.oid))), '[]')
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = ANY ($1::oid[])) AS relations,
  (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(t.oid::bigint, n.nspname || '.' || t.typname,
      pg_catalog.json_build_array(t.typelem::bigint, t.typbasetype::bigint, t.typarray::bigint, coalesce(r.rngsubtype::bigint, 0), coalesce(r.rngmultitypid::bigint, 0)), t.typrelid::bigint)), '[]')
    FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
      LEFT JOIN pg_catalog.pg_range r ON t.oid IN (r.rngtypid, r.rngmultitypid)
    WHERE t.oid >= ${FIRST_USER_ID} AND (t.oid = ANY ($2::oid[]) OR t.oid IN (SELECT atttypid FROM columns))) AS types,
  (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(name, pg_catalog.to_regtype(name)::oid::bigint)), '[]')
    FROM pg_catalog.unnest($3::text[]) AS name) AS named`

/** Looks up what users have made. The server's analysis has locked the relations until the transaction ends. */
export async function lookUpObjects(client: ClientBase, facts: QueryFacts): Promise<ReferencedObjects> {
  const parameters = [[...facts.relations.keys()], [...facts.types].filter(oid => oid >= FIRST_USER_ID), [...facts.typeNames]]
  const { rows } = await client.query({ name: 'clew_referenced_objects', text: SQL, values: parameters })
  const { relations, types, named } = rowSchema.parse(rows[0])
  const relationOf = (name: string, columns: readonly z.infer<typeof columnSchema>[]): Relation => ({
    name,
    columns: new Map(columns.map(([number, column]) => [number, column])),
    types: new Set(columns.map(([, , type]) => type)),
  })
  return {
    relations: new Map(relations.map(([oid, name, columns]) => [oid, relationOf(name, columns)])),
    types: new Map(types.map(([oid, name, related, relation]) => [oid, { name, related, relation }])),
    typesNamed: new Map(named.map(([name, oid]) => [name, oid ?? undefined])),
  }
}
