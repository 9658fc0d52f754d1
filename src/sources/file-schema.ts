import { z } from 'zod'
import { SOURCE_LIMITS } from './limits.ts'

const SOURCE_ID = /^[a-z][a-z0-9_]{0,29}$/

const urlSchema = z.string().regex(/^\$[A-Za-z_]\w*$/, {
  error:
    'must be $ and the name of an environment variable that holds the address, such as $CRM_URL: passwords stay out of the file',
})

const databasesSchema = z
  .array(z.string().regex(/^[^.\s/*]+$/, { error: 'must be the name of one database or schema, without dots or stars' }), {
    error: 'must be a list of names, such as [shop]',
  })
  .min(1)

const NO_JOIN_KEY = 'must be two columns of two sources, such as "crm/shop.customers.id = telemetry/network.users.crm_id"'

const joinKeySchema = z.string({ error: NO_JOIN_KEY }).transform((text, context) => {
  const [left, right, ...others] = text.split('=').map(readColumn)
  if (left && right && others.length === 0 && left.source !== right.source) return { left, right }
  context.addIssue({ code: 'custom', message: NO_JOIN_KEY })
  return z.NEVER
})

/** Reads `source/database.table.column`. Only the table's name may contain dots. */
function readColumn(written: string) {
  const text = written.trim()
  const [slash, dot, last] = [text.indexOf('/'), text.indexOf('.'), text.lastIndexOf('.')]
  const [source, table, column] = [text.slice(0, slash), text.slice(slash + 1, last), text.slice(last + 1)]
  const isWhole = slash > 0 && dot > slash + 1 && last > dot + 1 && column !== '' && !/[\s*]/.test(text)
  return isWhole ? { source, table, column } : undefined
}

/** Two columns of different sources whose values mean the same things. */
export type JoinKey = z.infer<typeof joinKeySchema>

const sourceSchema = z.strictObject(
  {
    url: urlSchema,
    databases: databasesSchema.optional(),
    schemas: databasesSchema.optional(),
    description: z.string().trim().min(1).max(SOURCE_LIMITS.descriptionCharacters),
    roles: z
      .array(z.string(), { error: 'must be a list of roles of access.yaml, such as [finance]' })
      .min(1, { error: 'must name a role; leave the line out if the tables of the roles decide' })
      .optional(),
    join_keys: z.array(joinKeySchema).default([]),
    private_columns: z.array(z.string().trim().min(1)).default([]),
  },
  { error: 'must be a source, with `url`, `databases` or `schemas`, and `description`' },
)
export type WrittenSource = z.infer<typeof sourceSchema>

/** The schema of `sources.yaml` as the operator writes it. It does not check names of other files or variables. */
export const sourcesFileSchema = z.strictObject(
  {
    sources: z
      .record(
        z.string().regex(SOURCE_ID, {
          error: 'must begin with a small letter and have small letters, digits and _ only, at most 30 in all',
        }),
        sourceSchema,
        { error: 'must be sources by their names, such as `crm: { url: $CRM_URL, … }`' },
      )
      .refine(sources => Object.keys(sources).length > 0, {
        error: 'must have a source; unset CLEW_SOURCES_FILE to have only one',
      }),
  },
  { error: 'must begin with `sources:`' },
)
