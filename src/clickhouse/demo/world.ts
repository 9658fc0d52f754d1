import { z } from 'zod'
import { ConfigurationError } from '../../base/errors.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type DemoWorldStatements, readDemoWorldStatements } from './world-statements.ts'

export interface DemoWorldOptions {
  readonly warehouse: Warehouse
  /** The seed of the random data. With another seed, the figures differ, but the deliberate faults stay the same. */
  readonly seed?: number
  /** The time at which the data end, in whole seconds. Default: the start of the current hour by the engine's clock. */
  readonly anchor?: Date
  readonly database?: string
}

export interface DemoWorld {
  readonly database: string
  readonly seed: number
  readonly anchor: Date
  /** False if the same data already existed, so nothing was generated. */
  readonly loaded: boolean
  /** The total number of rows in all tables. */
  readonly rows: number
  readonly elapsedMs: number
}

const DEFAULT_SEED = 1
export const DEMO_WORLD_DATABASE = 'network'

/**
 * Data that end longer ago than this are generated again. Answers about the last n days stay stable for 110 minutes after the
 * data end (demo/README.md says why). So a demo that starts now has at least 20 stable minutes.
 */
const FRESH_MS = 90 * 60_000

/**
 * The current database of statements that name their databases themselves. The server needs an existing one, and the demo's own
 * database may not exist yet.
 */
const EXISTING = 'system'

/** The comment on the demo's database, as JSON. It says `loading` until the last step changes it to `loaded`. */
const markerSchema = z.discriminatedUnion('demo_world', [
  z.object({ demo_world: z.literal('loading') }),
  z.object({
    demo_world: z.literal('loaded'),
    generator: z.string(),
    seed: z.number().int(),
    anchor: z.iso.datetime(),
    rows: z.number().int(),
  }),
])
type Marker = z.infer<typeof markerSchema>

/**
 * The present state of the demo's database. `marker` is its parsed comment, or undefined if the demo did not create the database.
 */
interface Present {
  readonly now: Date
  readonly exists: boolean
  readonly tables: number
  readonly rows: number
  readonly marker: Marker | undefined
}

/**
 * Generates the data of the demo's network operator, 1.6 million rows, in a separate database. The engine runs `demo/world/*.sql`
 * and derives the rows from hashes of the seed, so they are the same on every machine. Does nothing if the same data exist and
 * are fresh. The database gets its final name only when it is complete, so nobody sees incomplete data. After a crash, the next
 * call builds it again.
 * @throws ConfigurationError if the database exists and is not the demo's
 * @throws WarehouseError
 */
export async function loadDemoWorld(options: DemoWorldOptions, signal: AbortSignal): Promise<DemoWorld> {
  const started = performance.now()
  const { warehouse } = options
  const database = databaseName(options.database ?? DEMO_WORLD_DATABASE)
  const seed = z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .parse(options.seed ?? DEFAULT_SEED)
  const statements = readDemoWorldStatements()
  const present = await lookAt(warehouse, database, signal)

  const { marker } = present
  if (marker?.demo_world === 'loaded' && marker.generator === statements.generator && marker.seed === seed) {
    const anchor = new Date(marker.anchor)
    if (marker.rows === present.rows && isFresh(anchor, present.now, options.anchor)) {
      return { database, seed, anchor, loaded: false, rows: marker.rows, elapsedMs: performance.now() - started }
    }
  }
  if (present.tables > 0 && marker === undefined) {
    throw new ConfigurationError(
      `The database ${database} exists and was not made by the demo; name another one for the demo's world.`,
    )
  }

  const anchor = options.anchor ?? startOfHour(present.now)
  await build({ warehouse, database, statements, seed, anchor }, signal)
  await swapIn({ warehouse, database, statements, replaces: present.exists }, signal)
  const { rows } = await lookAt(warehouse, database, signal)
  const loaded = {
    demo_world: 'loaded',
    generator: statements.generator,
    seed,
    anchor: anchor.toISOString(),
    rows,
  } satisfies Marker
  await warehouse.write(
    { sql: `ALTER DATABASE ${database} MODIFY COMMENT '${JSON.stringify(loaded)}'`, database: EXISTING },
    signal,
  )
  return { database, seed, anchor, loaded: true, rows, elapsedMs: performance.now() - started }
}

/** Checks a database's name and returns it. DDL takes no parameters, so the name becomes part of the SQL. */
function databaseName(name: string): string {
  if (/^[a-z][a-z0-9_]{0,47}$/.test(name)) return name
  throw new ConfigurationError(
    `The demo's database cannot be called ${JSON.stringify(name)}: use lower-case letters, digits and underscores.`,
  )
}

function isFresh(anchor: Date, now: Date, wanted: Date | undefined): boolean {
  if (wanted !== undefined) return anchor.getTime() === wanted.getTime()
  const age = now.getTime() - anchor.getTime()
  return age >= 0 && age < FRESH_MS
}

function startOfHour(time: Date): Date {
  const hour = 3_600_000
  return new Date(Math.floor(time.getTime() / hour) * hour)
}

async function lookAt(warehouse: Warehouse, database: string, signal: AbortSignal): Promise<Present> {
  const { rows } = await warehouse.read(
    {
      sql: `SELECT toUnixTimestamp(now()),
              (SELECT groupArray(comment) FROM system.databases WHERE name = {database:String}),
              (SELECT toUInt32(count()) FROM system.tables WHERE database = {database:String}),
              (SELECT toString(sum(total_rows)) FROM system.tables WHERE database = {database:String})`,
      parameters: { database },
      database: EXISTING,
    },
    signal,
  )
  const [now, comments, tables, total] = z.tuple([z.number(), z.array(z.string()), z.number(), z.coerce.number()]).parse(rows[0])
  return { now: new Date(now * 1000), exists: comments.length > 0, tables, rows: total, marker: parseMarker(comments[0] ?? '') }
}

function parseMarker(comment: string): Marker | undefined {
  try {
    return markerSchema.safeParse(JSON.parse(comment)).data
  } catch {
    return undefined
  }
}

/** Creates a database under a temporary name, and all tables in it. */
async function build(
  world: { warehouse: Warehouse; database: string; statements: DemoWorldStatements; seed: number; anchor: Date },
  signal: AbortSignal,
): Promise<void> {
  const database = `${world.database}_next`
  const write = (sql: string) => world.warehouse.write({ sql, database: EXISTING }, signal)
  const loading = { demo_world: 'loading' } satisfies Marker
  await write(`DROP DATABASE IF EXISTS ${database} SYNC`)
  await write(`CREATE DATABASE ${database} COMMENT '${JSON.stringify(loading)}'`)
  const parameters = { seed: world.seed, anchor: world.anchor.toISOString().slice(0, 19).replace('T', ' ') }
  for (const sql of world.statements.build) await world.warehouse.write({ sql, parameters, database }, signal)
  for (const table of ['scratch_nodes', 'scratch_users', 'scratch_links']) await write(`DROP TABLE ${database}.${table} SYNC`)
}

/** Renames the new database to its final name. Then drops the old database, once its running queries have finished. */
async function swapIn(
  world: { warehouse: Warehouse; database: string; statements: DemoWorldStatements; replaces: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { warehouse, database } = world
  const write = (sql: string) => warehouse.write({ sql, database: EXISTING }, signal)
  await write(`DROP DATABASE IF EXISTS ${database}_previous SYNC`)
  if (world.replaces) await write(`RENAME DATABASE ${database} TO ${database}_previous`)
  await write(`RENAME DATABASE ${database}_next TO ${database}`)
  for (const sql of world.statements.views) await warehouse.write({ sql, database }, signal)
  await write(`DROP DATABASE IF EXISTS ${database}_previous SYNC`)
}
