import fc from 'fast-check'
import type { TableGrant } from '../../src/access/table-grant.ts'

/** A table with names and values that occur nowhere else. */
interface WalledTable {
  readonly database: string
  readonly name: string
  readonly columns: readonly [string, string]
  readonly values: readonly [string, string]
  readonly isGranted: boolean
}

/** Tables, a view on one of them, a job that reads them, a run of another program, and a person who may see only some of the tables. */
export interface WalledWorld {
  readonly job: string
  readonly foreignRun: string
  readonly databases: readonly string[]
  /** The statements that create the tables. */
  readonly statements: readonly string[]
  /** The definition of the job, in YAML. */
  readonly definition: string
  readonly labels: readonly string[]
  /** The other program's row in the operation log, by column name. */
  readonly foreignRow: Readonly<Record<string, unknown>>
  readonly grants: readonly TableGrant[]
  /** The names and values that this person must not see. */
  readonly hidden: readonly string[]
  /** True for a job that was logged by an old version, which did not log the tables that SQL reads. */
  readonly isOld: boolean
  /** True if the person agrees to a replay of the job. */
  readonly wantsReplay: boolean
}

const TABLES = 4

type Source = (one: WalledTable, other: WalledTable) => string
const whole = ({ database, name }: Pick<WalledTable, 'database' | 'name'>) => `${database}.${name}`
/** SELECTs for the inputs of a job. None of them copies a value, so the job's tables contain no secret. */
const SOURCES: readonly Source[] = [
  one => `SELECT length(${one.columns[0]}) AS a FROM ${whole(one)}`,
  one => `SELECT toUInt32(${one.columns[0]}) AS a FROM ${whole(one)} WHERE ${one.columns[1]} != 'none'`,
  (one, other) =>
    `SELECT length(o.${one.columns[0]}) AS a FROM ${whole(one)} AS o LEFT JOIN ${whole(other)} AS p ON o.${one.columns[0]} = p.${other.columns[0]}`,
  (one, other) =>
    `SELECT length(${one.columns[0]}) AS a FROM ${whole(one)} WHERE ${one.columns[0]} NOT IN (SELECT ${other.columns[1]} FROM ${whole(other)})`,
  (one, other) => `SELECT length(${one.columns[1]}) + (SELECT count() FROM ${whole(other)}) AS a FROM ${whole(one)}`,
  one => `WITH x AS (SELECT ${one.columns[0]} AS c FROM ${whole(one)}) SELECT length(c) AS a FROM x`,
  one => `SELECT length(${one.columns[0]}) AS a FROM merge('${one.database}', '^${one.name}$')`,
  (one, other) => `SELECT length(${one.columns[0]}) AS a FROM ${whole(one)} -- as in ${whole(other)}`,
  one => `SELECT length(${one.columns[0]}) AS a FROM ${whole(one)} WHERE ${one.columns[1]} != {{ arguments.given }}`,
  (one, other) => `SELECT if(1, length(${one.columns[0]}), (SELECT count() FROM ${whole(other)})) AS a FROM ${whole(one)}`,
]

const drawn = fc.record({
  granted: fc.array(fc.boolean(), { minLength: TABLES, maxLength: TABLES }),
  sources: fc.array(fc.tuple(fc.nat(SOURCES.length - 1), fc.nat(TABLES - 1), fc.nat(TABLES - 1)), { minLength: 1, maxLength: 3 }),
  view: fc.nat(TABLES - 1),
  readsView: fc.boolean(),
  readsOwnView: fc.boolean(),
  foreign: fc.tuple(fc.nat(TABLES - 1), fc.nat(TABLES - 1)),
  failsLate: fc.boolean(),
  byException: fc.boolean(),
  isOld: fc.boolean(),
  wantsReplay: fc.boolean(),
})

/** @param number distinguishes the names in several worlds on the same engine */
export const walledWorlds = (number: () => number): fc.Arbitrary<WalledWorld> => drawn.map(given => worldOf(given, number()))

function worldOf(given: typeof drawn extends fc.Arbitrary<infer Drawn> ? Drawn : never, world: number): WalledWorld {
  let marks = 0
  const mark = () => {
    marks += 1
    return `zq${world}x${marks}qz`
  }
  const databases = [mark(), mark()] as const
  const tables = given.granted.map((isGranted, index): WalledTable => {
    const database = databases[index % 2] ?? databases[0]
    return { database, name: mark(), columns: [mark(), mark()], values: [mark(), mark()], isGranted }
  })
  const [first] = tables
  if (first === undefined) throw new Error('a world has tables')
  const at = (index: number) => tables[index] ?? first
  const behind = at(given.view)
  const view = { database: behind.database, name: mark() }
  const inputs = [
    ...given.sources.map(([kind, one, other]) => SOURCES[kind]?.(at(one), at(other)) ?? ''),
    ...(given.readsView ? [`SELECT a FROM ${whole(view)}`] : []),
  ]
  // A value that occurs only in a condition. It must be hidden exactly if the condition is hidden.
  const argument = mark()
  const conditions = given.sources.filter((_, index) => inputs[index]?.includes('arguments.given'))
  const job = `job_${world}`
  // A further view in the job's database. Reading it fails with an error that contains a value.
  const ownView = `v_${world}`
  const names = [...inputs.map((_, index) => `in${world}_${index}`), ...(given.readsOwnView ? [ownView] : [])]
  const all = names.map(name => `SELECT a FROM {{ ${name} }}`).join(' UNION ALL ')
  const last = given.failsLate
    ? "SELECT toUInt32(concat('x', toString(a))) AS a FROM {{ gathered }}"
    : 'SELECT a FROM {{ gathered }}'
  const [shown, unlisted] = given.foreign.map(at)
  const granted = ['pipelines.*', whole(view), ...tables.filter(({ isGranted }) => isGranted).map(whole)]
  const hiddenTables = tables.filter(({ isGranted }) => !isGranted)
  const usedDatabases = new Set([view, ...tables.filter(({ isGranted }) => isGranted)].map(({ database }) => database))
  return {
    job,
    foreignRun: `run_of_${world}`,
    databases,
    statements: [
      ...databases.map(name => `CREATE DATABASE ${name}`),
      ...tables.flatMap(({ columns: [one, other], values: [here, there], ...table }) => [
        `CREATE TABLE ${whole(table)} (${one} String, ${other} String) ENGINE = MergeTree ORDER BY ${one} COMMENT 'beside ${whole(behind)}'`,
        `INSERT INTO ${whole(table)} VALUES ('${here}', '${there}'), ('${there}', '${here}')`,
      ]),
      `CREATE VIEW ${whole(view)} AS SELECT length(${behind.columns[0]}) AS a FROM ${whole(behind)}`,
      `CREATE VIEW pipelines.${ownView} AS SELECT length(${behind.columns[0]}) AS a, toUInt8(${behind.columns[1]}) AS b FROM ${whole(behind)}`,
      `CREATE TABLE pipelines.f_${world} (a UInt32) ENGINE = MergeTree ORDER BY a`,
    ],
    definition: JSON.stringify({
      name: job,
      arguments: conditions.length > 0 ? { given: argument } : {},
      inputs: Object.fromEntries(
        names.map((name, index) => [name, name === ownView ? { table: name } : { source: inputs[index] }]),
      ),
      operations: [
        { name: 'gathered', sql: all },
        { name: 'last', sql: last },
      ],
      target: { operation: 'last', table: `t_of_${world}` },
    }),
    labels: [...names, 'gathered', 'last', `t_of_${world}`],
    // The row lists one table as its input, but its SQL reads another table.
    foreignRow: {
      job_id: `run_of_${world}`,
      ...{
        task_id: 'load',
        operation_id: `load ${whole(unlisted ?? first)}`,
        kind: 'target',
        operation: `from_${whole(unlisted ?? first)}`,
      },
      ...{ result_database: 'pipelines', result_table: `f_${world}` },
      inputs: shown?.isGranted === true ? [{ role: `beside ${unlisted?.name}`, database: shown.database, name: shown.name }] : [],
      ...{ template: '', sql: `SELECT toUInt32(${unlisted?.columns[0]}) AS a FROM ${whole(unlisted ?? first)}` },
      ...{ started_at: '2026-03-01 06:00:00.000', finished_at: '2026-03-01 06:00:02.500', rows: 0, bytes: 0, revision: 1 },
      error: `Cannot parse string '${unlisted?.values[0]}' as UInt32`,
    },
    grants: given.byException ? [{ tables: ['*.*'], except: hiddenTables.map(whole) }] : [{ tables: granted, except: [] }],
    hidden: [
      ...hiddenTables.flatMap(({ name, columns, values }) => [name, ...columns, ...values]),
      ...databases.filter(name => !usedDatabases.has(name)),
      ...(conditions.some(([, one]) => at(one).isGranted) ? [] : [argument]),
    ],
    isOld: given.isOld,
    wantsReplay: given.wantsReplay,
  }
}
