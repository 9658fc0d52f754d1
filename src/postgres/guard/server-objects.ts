import type { ClientBase } from 'pg'
import { z } from 'zod'
import { WarehouseError } from '../../warehouse/error.ts'

/** The functions, operators and types that the server brings itself, and whether a query may use them. */
export type ServerObjects = Awaited<ReturnType<typeof readServerObjects>>

/** The objects that the server itself looks up for a type: its cast to JSON, its cast to text for functions in SQL, and its order. */
export const HOOK_KINDS = ['json', 'text', 'order'] as const
export type Hook = (typeof HOOK_KINDS)[number]

/** Objects with higher ids were made by users. */
export const FIRST_USER_ID = 16_384
/** The versions whose trees the guard knows. It was tested on the first and the last. */
const VERSIONS = { first: 15, last: 18 } as const

/**
 * Functions that are refused although they change nothing: they tell about the server, its roles, sessions, settings and objects,
 * run SQL from a text, or read XML.
 */
const REFUSED_FUNCTIONS =
  /^(?:pg_|has_|row_security|inet_(?:client|server)|current_|txid_|lo_|loread|lowrite|binary_upgrade|ts_(?:stat|rewrite|debug|parse|token_type)$|xml|xpath|(?:obj|shobj|col)_description$|format_type$|version$|getdatabaseencoding$|getpgusername$|session_user$|system_user$|cursor_to|query_to|table_to|schema_to|database_to|satisfies_hash_partition$|jsonb?_populate_record|amvalidate$)|_to_xml|_validator$/
/** Functions that differ with each call, and do nothing else. */
const HARMLESS_VOLATILE = /^(?:clock_timestamp|timeofday|random|random_normal|gen_random_uuid|uuidv[47])$/
/** Functions of the kinds refused above that compute from their arguments, and the ways of TABLESAMPLE. */
const ALLOWED_FUNCTIONS = /^pg_(?:lsn_.*|typeof|input_is_valid|column_size|size_(?:pretty|bytes))$|^(?:bernoulli|system)$/
/** Types whose values are secrets of the server, name its objects, or exist only inside it. */
const REFUSED_TYPES =
  /^(?:reg(?!config$)|pg_(?!lsn$)|_?aclitem$|_?cstring$|internal$|_?xid8?$|_?cid$|_?tid$|_?refcursor$|_?txid_snapshot$|_?gtsvector$|trigger$|event_trigger$|language_handler$|fdw_handler$|index_am_handler$|table_am_handler$|tsm_handler$|any|void$|opaque$|_reg(?!config$)|_pg_)/
/** Functions of any type of value that do not compare it, or compare enumerations only. */
const NOT_COMPARING =
  /^(?:count|quote_(?:literal|nullable)|textanycat|anytextcat|any_value|array_(?:agg|append|prepend|cat|fill|length|ndims|dims|upper|lower|to_string|reverse|shuffle|sample)|array_agg_array_.*|cardinality|enum_.*|trim_array|unnest|generate_subscripts|lag|lead|(?:first|last|nth)_value|num_n(?:on)?nulls|concat|concat_ws|format|isempty|lower|upper|(?:lower|upper)_in[cf])$/
/** Anonymous rows, as in `(a, b) IN (…)`, lists of them, and literals whose type does not matter, as in `concat(name, '-')`. */
const PSEUDO_TYPES: ReadonlySet<number> = new Set([2_249, 2_287, 705])

const rowSchema = z.object({
  version: z.number(),
  encoding: z.string(),
  functions: z.array(z.tuple([z.number(), z.string(), z.boolean(), z.array(z.number()), z.boolean()])),
  operators: z.array(z.tuple([z.number(), z.number()])),
  types: z.array(z.tuple([z.number(), z.string(), z.string()])),
})

const SQL = `SELECT pg_catalog.current_setting('server_version_num')::int / 10000 AS version,
  pg_catalog.current_setting('server_encoding') AS encoding,
  (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(p.oid::int, p.proname, p.provolatile IN ('i', 's') AND p.prokind IN ('f', 'a', 'w'),
      pg_catalog.array_to_json(p.proargtypes::oid[]::int[] || p.prorettype::int), l.lanname = 'sql'))
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang WHERE p.oid < ${FIRST_USER_ID} AND p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace) AS functions,
  (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(o.oid::int, o.oprcode::oid::int))
    FROM pg_catalog.pg_operator o WHERE o.oid < ${FIRST_USER_ID} AND o.oprcode <> 0) AS operators,
  (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(t.oid::int, t.typname, t.typtype))
    FROM pg_catalog.pg_type t WHERE t.oid < ${FIRST_USER_ID} AND t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace) AS types`

/**
 * Reads the server's own objects. They stay the same while it runs.
 * @throws WarehouseError of kind `query` if the guard does not know this version or encoding
 */
export async function readServerObjects(client: ClientBase) {
  const { rows } = await client.query(SQL)
  const found = rowSchema.parse(rows[0])
  if (found.version < VERSIONS.first || found.version > VERSIONS.last) {
    throw refused(`Clew knows Postgres ${VERSIONS.first} to ${VERSIONS.last}, and this server has version ${found.version}.`)
  }
  if (found.encoding !== 'UTF8' && found.encoding !== 'SQL_ASCII') {
    throw refused(`Clew reads databases in the encoding UTF8, and this one has ${found.encoding}.`)
  }
  const allowedTypes = new Set([
    ...found.types.filter(([, name, kind]) => !REFUSED_TYPES.test(name) && 'bdrm'.includes(kind)).map(([oid]) => oid),
    ...PSEUDO_TYPES,
  ])
  // Polymorphic functions such as array_agg(anyelement) have the types of their arguments, which are judged where they stand.
  const general = new Set(found.types.filter(([, name]) => /^any/.test(name)).map(([oid]) => oid))
  const isUsable = (type: number) => allowedTypes.has(type) || general.has(type)
  const allowed = found.functions.filter(
    ([, name, isStable, types]) =>
      ALLOWED_FUNCTIONS.test(name) ||
      ((isStable || HARMLESS_VOLATILE.test(name)) && types.every(isUsable) && !REFUSED_FUNCTIONS.test(name)),
  )
  // Those of rows take any row.
  const ofAnyType = (is: (name: string, isSql: boolean) => boolean) => {
    const takesAny = (types: readonly number[]) => types.slice(0, -1).some(type => general.has(type) || PSEUDO_TYPES.has(type))
    return new Set(found.functions.filter(([, name, , types, isSql]) => takesAny(types) && is(name, isSql)).map(([oid]) => oid))
  }
  const isJson = (name: string) => name.includes('json')
  const names = new Set(found.functions.map(([, name]) => name))
  const allowedNames = new Set(allowed.map(([, name]) => name))
  return {
    /** The name of each function, by its id. */
    functions: new Map(found.functions.map(([oid, name]) => [oid, name])),
    allowedFunctions: new Set(allowed.map(([oid]) => oid)),
    /** The functions of any type of value that look up a function of that type while they run. */
    hooks: {
      json: ofAnyType(isJson),
      text: ofAnyType((_, isSql) => isSql),
      order: ofAnyType(name => !isJson(name) && !NOT_COMPARING.test(name)),
    } satisfies Record<Hook, unknown>,
    /** The function behind each operator, by the operator's id. */
    operators: new Map(found.operators),
    allowedTypes,
    /** Whether every function of this name is refused. False if there is none. */
    isRefused: (name: string) => names.has(name) && !allowedNames.has(name),
  }
}

function refused(message: string): WarehouseError {
  return new WarehouseError(message, { kind: 'query' })
}
