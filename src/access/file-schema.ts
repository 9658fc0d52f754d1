import { z } from 'zod'

/** The text `true` or `false`. Every YAML value is read as text, because a long id would lose its last digits as a number. */
const flagSchema = z.enum(['true', 'false'], { error: 'must be true or false' }).transform(value => value === 'true')

const NO_TABLE =
  'must be database.table, where * stands for any characters: sales.orders, sales.p_*, "*.*", and of another source crm/sales.orders'
const tableSchema = z.string({ error: NO_TABLE }).regex(/^(?:[^.\s/]+\/)?[^.\s/]+\.\S.*$/, { error: NO_TABLE })
const tablesSchema = z.array(tableSchema, { error: 'must be a list of tables, such as [sales.orders, sales.p_*]' })

const serverRoleSchema = z
  .string()
  .min(1)
  .regex(/^[^/]+$/, { error: 'must be the name of a role on the server, without /' })

const roleSchema = z.strictObject(
  {
    tables: tablesSchema.min(1, { error: 'must name a table; for a role without any, leave the role out' }),
    except: tablesSchema.default([]),
    clickhouse_role: serverRoleSchema.optional(),
    server_roles: z.record(z.string(), serverRoleSchema, { error: 'must be a list of `source: role`, one a line' }).default({}),
    own_rows: flagSchema.default(false),
    publish: flagSchema.default(false),
    operate: flagSchema.default(false),
    define: flagSchema.default(false),
  },
  { error: 'must say which tables it may read, such as `tables: [sales.orders]`' },
)

const rolesSchema = z.union([z.string().transform(name => [name]), z.array(z.string()).min(1)], {
  error: 'must be a role or a list of roles',
})
const assignedSchema = z.record(z.string(), rolesSchema, { error: 'must be a list of `id: role`, one a line' }).default({})

const workspaceSchema = (platforms: readonly string[]) =>
  z.strictObject(
    {
      platform: z.enum(platforms, { error: `must be ${platforms.join(' or ')}` }),
      workspace: z.string({ error: 'must be the id of the workspace or server' }),
      users: assignedSchema,
      groups: assignedSchema,
      channels: assignedSchema,
    },
    { error: 'must be a workspace, with `platform` and `workspace`' },
  )
export type WrittenWorkspace = z.infer<ReturnType<typeof workspaceSchema>>

/**
 * The schema of `access.yaml` as the operator writes it. It does not check that the names in the file exist; `mistakesIn` does.
 * @param platforms the platforms that the file may name
 */
export const accessFileSchema = (platforms: readonly string[]) =>
  z.strictObject(
    {
      version: z.literal('1', { error: 'must be 1' }),
      default: z.string().optional(),
      roles: z.record(z.string().regex(/^[\w-]{1,60}$/, { error: 'must have letters, digits, _ and - only' }), roleSchema, {
        error: 'must be there: what each role may read',
      }),
      workspaces: z.array(workspaceSchema(platforms), { error: 'must be a list of workspaces' }).default([]),
    },
    { error: 'must begin with `version: 1`' },
  )
export type WrittenAccess = z.infer<ReturnType<typeof accessFileSchema>>
