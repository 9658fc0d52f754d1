import { z } from 'zod'
import { memoizePerObject } from '../../base/memoize.ts'

type JsonSchema = z.core.JSONSchema.JSONSchema

// Strict endpoints refuse or ignore these constraints (see the structured-output pages of OpenAI and Azure). So the JSON schema
// leaves them out. The property's description tells the model about them, and zod checks them in the answer.
const CONSTRAINTS = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'default',
] as const

const UNSAFE_NUMBERS = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
const KNOWN = new Set<string>([
  '$schema',
  '$defs',
  '$ref',
  'type',
  'enum',
  'const',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'oneOf',
  'title',
  'examples',
  ...CONSTRAINTS,
])

/**
 * Converts a zod schema's input to a JSON schema that strict endpoints accept: every property is required, an optional property
 * may be null, and unknown properties are forbidden. `readStrictAnswer` reverses this in the answer. The result is cached per
 * schema.
 * @throws TypeError for types that strict endpoints do not have (records, loose objects, tuples, any), or a root that is not an
 * object
 */
export const strictJsonSchema = memoizePerObject((schema: z.ZodType): Readonly<Record<string, unknown>> => {
  const plain = z.toJSONSchema(schema, { io: 'input' })
  if (plain.type !== 'object') throw new TypeError('A structured answer must be an object at its root.')
  return rewrite(plain, '$')
})

function rewrite(schema: JsonSchema, path: string): Record<string, unknown> {
  const unknown = Object.keys(schema).find(key => !KNOWN.has(key))
  if (unknown !== undefined) throw new TypeError(`${path}: "${unknown}" cannot be asked of a strict endpoint.`)
  const strict: Record<string, unknown> = {}
  for (const key of ['$ref', 'type', 'enum', 'const'] as const) {
    if (schema[key] !== undefined) strict[key] = schema[key]
  }
  const description = describe(schema)
  if (description !== '') strict.description = description
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) strict.anyOf = variants.map((variant, index) => rewriteAny(variant, `${path}|${index}`))
  if (schema.items !== undefined) strict.items = rewriteAny(Array.isArray(schema.items) ? true : schema.items, `${path}[]`)
  if (schema.type === 'object') Object.assign(strict, rewriteObject(schema, path))
  if (schema.$defs !== undefined) strict.$defs = mapValues(schema.$defs, (each, name) => rewriteAny(each, `$defs.${name}`))
  if (strict.type === undefined && strict.anyOf === undefined && strict.$ref === undefined && strict.enum === undefined) {
    throw new TypeError(`${path}: a value of any type cannot be asked of a strict endpoint.`)
  }
  return strict
}

function rewriteAny(schema: JsonSchema | boolean, path: string): Record<string, unknown> {
  if (typeof schema === 'boolean') throw new TypeError(`${path}: a value of any type cannot be asked of a strict endpoint.`)
  return rewrite(schema, path)
}

function rewriteObject(schema: JsonSchema, path: string): Record<string, unknown> {
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    throw new TypeError(`${path}: an object of arbitrary keys cannot be asked of a strict endpoint.`)
  }
  const required = new Set(schema.required)
  const properties = mapValues(schema.properties ?? {}, (property, name) => {
    const strict = rewriteAny(property, `${path}.${name}`)
    return required.has(name) || acceptsNull(strict) ? strict : { anyOf: [strict, { type: 'null' }] }
  })
  return { properties, required: Object.keys(properties), additionalProperties: false }
}

function acceptsNull(schema: Record<string, unknown>): boolean {
  if (schema.type === 'null' || (Array.isArray(schema.type) && schema.type.includes('null'))) return true
  return Array.isArray(schema.anyOf) && schema.anyOf.some(acceptsNull)
}

function describe(schema: JsonSchema): string {
  const constraints = CONSTRAINTS.filter(key => schema[key] !== undefined && !UNSAFE_NUMBERS.has(schema[key]))
  const stated = constraints.map(key => `${key}: ${JSON.stringify(schema[key])}`).join(', ')
  return [schema.description ?? '', stated === '' ? '' : `(${stated})`].filter(part => part !== '').join(' ')
}

function mapValues<In, Out>(object: Readonly<Record<string, In>>, map: (value: In, key: string) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]))
}
