import { z } from 'zod'
import type { PostgresConnections } from '../connection.ts'
import { arrayForm, fixedForm, floatCell, numericForm, timeForm, type ValueForm } from './value-form.ts'

/** Knows the types of one database. A type's OID never gets another meaning, so each is looked up once. */
export class PostgresTypes {
  readonly #known = new Map<number, z.infer<typeof typeSchema>>()

  /**
   * Looks up the types that are not known yet, with those that they consist of.
   * @throws WarehouseError
   */
  async lookUp(connections: PostgresConnections, oids: readonly number[], signal: AbortSignal): Promise<void> {
    let missing = oids.filter(oid => !this.#known.has(oid))
    while (missing.length > 0) {
      const asked = missing
      const { rows } = await connections.withClient(client => client.query(TYPES, [asked]), signal)
      const found = z.array(typeSchema).parse(rows)
      for (const type of found) this.#known.set(type.oid, type)
      missing = found.flatMap(({ element, base }) => [element, base]).filter(oid => oid !== 0 && !this.#known.has(oid))
    }
  }

  /** Returns a new form for the values of a column. A type that was not looked up is text. */
  formOf(oid: number, modifier: number): ValueForm {
    const type = this.#known.get(oid)
    if (type === undefined) return fixedForm('String')
    if (type.base !== 0) return this.formOf(type.base, type.baseModifier)
    if (type.element !== 0) return arrayForm(this.formOf(type.element, modifier))
    return SCALARS.get(type.name)?.(modifier) ?? fixedForm('String')
  }
}

/** Types of extensions and of users have names of their own, so only those of `pg_catalog` are read here by their names. */
const SCALARS: ReadonlyMap<string, (modifier: number) => ValueForm> = new Map([
  ['bool', () => fixedForm('Bool', text => text === 't')],
  ['int2', () => fixedForm('Int16', Number)],
  ['int4', () => fixedForm('Int32', Number)],
  ['oid', () => fixedForm('UInt32', Number)],
  ['int8', () => fixedForm('Int64')],
  ['float4', () => fixedForm('Float32', floatCell)],
  ['float8', () => fixedForm('Float64', floatCell)],
  ['numeric', (modifier: number) => numericForm(numericModifier(modifier))],
  ['date', () => timeForm('Date32')],
  ['timestamp', () => timeForm('DateTime64(6)')],
  ['timestamptz', () => timeForm("DateTime64(6, 'UTC')")],
  ['uuid', () => fixedForm('UUID')],
])

/** Reads precision and scale from the modifier: 16 bits of precision, then 11 of a signed scale, plus 4 (numeric.c). */
function numericModifier(modifier: number): { readonly precision: number; readonly scale: number } | undefined {
  if (modifier < 4) return undefined
  const packed = modifier - 4
  return { precision: (packed >> 16) & 0xff_ff, scale: ((packed & 0x7_ff) ^ 0x4_00) - 0x4_00 }
}

/**
 * The name is empty for types outside of `pg_catalog`, whatever they are called. Vectors such as `int2vector` are arrays without
 * braces, and arrays of boxes are separated by semicolons, so neither is an array here.
 */
const TYPES = `
SELECT t.oid::int8::text AS oid, CASE WHEN n.nspname = 'pg_catalog' THEN t.typname ELSE '' END AS name,
  CASE WHEN t.typtype = 'b' AND t.typcategory = 'A' AND t.typlen = -1 AND t.typdelim = ',' AND t.typname NOT IN ('int2vector', 'oidvector')
    THEN t.typelem::int8::text ELSE '0' END AS element,
  t.typbasetype::int8::text AS base, t.typtypmod AS "baseModifier"
FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
WHERE t.oid = ANY($1::pg_catalog.oid[])`

/** The facts on which a value's form depends. */
const typeSchema = z.object({
  oid: z.coerce.number(),
  name: z.string(),
  /** The type of the elements of a true array. 0 for other types. */
  element: z.coerce.number(),
  /** The type under a domain, with its modifier. 0 for other types. */
  base: z.coerce.number(),
  baseModifier: z.number(),
})
