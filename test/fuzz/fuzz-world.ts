import { readFileSync } from 'node:fs'
import { READER_SETTINGS } from '../../src/clickhouse/limits.ts'
import type { GuardScope } from '../../src/warehouse/sql-guard.ts'

/** The tables that random queries may read, with the role and the guard's scope for them. */
export interface FuzzScope {
  /** The database role that has exactly the grants of this scope. */
  readonly role: string
  readonly guard: GuardScope
  /** Tables that the scope does not contain, but that its views read. A view may show their rows. */
  readonly behindViews: readonly string[]
}

export interface FuzzWorld {
  /** The statements that create the data. They run once, with all rights. */
  readonly statements: readonly string[]
  readonly usersXml: string
  readonly serverXml: string
  /** Files in the engine's working folder. The key is the file's name. */
  readonly files: Readonly<Record<string, string>>
  /** Returns the secret marks that a query in this scope must never show: those in files, and in tables outside the scope. */
  forbiddenMarks(scope: FuzzScope): readonly string[]
}

/**
 * The columns of all wide tables are the same. If a name means another table than the guard assumes, the query still works. Then only the grants
 * show the mistake.
 */
export const WIDE_COLUMNS = [
  ['id', 'Int64'],
  ['n', 'Int64'],
  ['k', 'String'],
  ['v', 'String'],
  ['day', 'Date'],
  ['f', 'Float64'],
  ['tags', 'Array(String)'],
  ['nums', 'Array(Int64)'],
  ['m', 'Map(String, String)'],
  ['pair', 'Tuple(a Int64, b String)'],
  ['opt', 'Nullable(Int64)'],
  // These columns have the same names as tables.
  ['secrets', 'Int64'],
  ['alpha', 'String'],
  ['nest.a', 'Array(Int64)'],
  ['nest.b', 'Array(String)'],
  // This name is one character for the engine's regular expressions, and two characters for JavaScript's.
  ['🔑', 'String'],
  ['doc', 'JSON'],
  ['dyn', 'Dynamic'],
] as const
/** In one scope, these columns of a table must not be read. */
const PRIVATE_COLUMNS = ['tags', '🔑', 'doc', 'dyn']

/** Each subcolumn needs a right of its own. The engine reads a subcolumn in `empty(nums)` or `m['k']`. */
const SUBCOLUMNS = [
  ...['k.size', 'v.size', 'alpha.size'],
  ...['pair.a', 'pair.b', 'opt.null', 'nums.size0', 'nest.a.size0', 'nest.b.size0', 'nest.size0'],
  ...['m.keys', 'm.values', 'm.size0', 'm.key_k', 'm.key_a', 'm.key_x', 'm.key_b', 'm.keys.size0', 'm.values.size0'],
]

const WIDE_TABLES = [
  'lab.alpha',
  'lab.beta',
  'lab.gamma',
  'lab.secrets',
  'lab.users',
  'lab.vault',
  'lab.Alpha',
  'lab.a b',
  'lab.k',
  'side.alpha',
  'side.users',
  'side.secrets',
  'side.lab',
  'vault.alpha',
  'vault.secrets',
  'default.alpha',
  'default.secrets',
]
/** Tables with a single column, `id`. They can be used after IN, as in `id IN lab.ids`. */
const NARROW_TABLES = [
  'lab.ids',
  'lab.keys',
  'lab.id',
  'lab.x',
  'lab.n',
  'lab.y',
  'side.ids',
  'side.keys',
  'side.x',
  'vault.ids',
  'vault.id',
  'default.ids',
  'default.x',
]
/** The file with the tables for the guard's test cases. */
const CASE_SCHEMA = new URL('../cases/sql-guard-schema.sql', import.meta.url)

const CASE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'demo.p_orders': ['id', 'vendor_id', 'amount', 'qty', 'status', 'created_at', 'day', 'tags', 'attrs', 'order', 'group', 'note'],
  'demo.p_vendors': ['id', 'name', 'country', 'valid_from', 'select', 'score'],
  'demo.t_final': ['id', 'vendor_id', 'total', 'day', 'ts', 'cnt', 'st'],
}

export const FUZZ_SCOPES: readonly FuzzScope[] = [
  scope('lab_plain', 'lab', ['lab.alpha', 'lab.beta', 'lab.ids'], { isCatalogued: true }),
  scope('lab_crossed', 'lab', ['lab.alpha', 'lab.id', 'lab.x', 'side.users', 'side.ids']),
  scope('side_view', 'side', ['side.alpha', 'side.users', 'side.keys', 'lab.beta', 'lab.keys', 'lab.v_offer'], {
    isCatalogued: true,
    behindViews: ['vault.alpha'],
    restricted: { 'lab.beta': PRIVATE_COLUMNS },
  }),
]
export const CASE_SCOPE = scope('cases', 'demo', Object.keys(CASE_COLUMNS), { isCatalogued: true })

/** All table names as `database.table`, grouped into wide tables and narrow tables with one column. */
export const TABLE_NAMES = { wide: [...WIDE_TABLES, 'lab.v_offer'], narrow: NARROW_TABLES } as const

/** @param mark returns a new word of hexadecimal digits, which becomes a secret mark */
export function makeFuzzWorld(mark: () => string): FuzzWorld {
  /** The secret marks of each table, by `database.table`. Those of private columns have the key `database.table:private`. */
  const marks = new Map<string, readonly string[]>()
  const markOf = (table: string) => {
    // One mark for text columns, and one with 16 digits for number columns. No sum or hash can equal such a mark by chance.
    const made = [`mark${mark()}`, String(4_000_000_000_000_000 + (Number.parseInt(mark(), 16) % 1_000_000_000_000_000))]
    marks.set(table, made)
    return { text: made[0] ?? '', number: made[1] ?? '' }
  }
  const statements = [
    ...['lab', 'side', 'vault'].map(database => `CREATE DATABASE ${database}`),
    ...WIDE_TABLES.flatMap(table =>
      wideTable(table, markOf(table), table === 'lab.beta' ? markOf('lab.beta:private') : undefined),
    ),
    ...NARROW_TABLES.flatMap(table => narrowTable(table, markOf(table))),
    ...LAB_OTHERS,
    ...caseTables(markOf),
  ]
  const fileMark = markOf('').text
  return {
    statements,
    usersXml: usersXml(),
    serverXml:
      '<access_control_improvements><select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>' +
      '<select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant></access_control_improvements>' +
      '<max_server_memory_usage>700000000</max_server_memory_usage><mark_cache_size>8388608</mark_cache_size>',
    files: { 'secret.txt': fileMark },
    forbiddenMarks: ({ guard, behindViews }) =>
      [...marks]
        .filter(([key]) => {
          const [table = '', kind] = key.split(':')
          if (kind === 'private') return !guard.tables.has(table) || (guard.columns?.get(table)?.restricted.size ?? 0) > 0
          return !guard.tables.has(table) && !behindViews.includes(table)
        })
        .flatMap(([, made]) => made),
  }
}

const LAB_OTHERS = [
  'CREATE VIEW lab.v_secret AS SELECT * FROM lab.secrets',
  'CREATE VIEW lab.v_alpha AS SELECT * FROM lab.alpha',
  'CREATE VIEW lab.v_offer AS SELECT * FROM vault.alpha',
  'CREATE VIEW lab.p_view AS SELECT * FROM lab.alpha WHERE id = {i:Int64}',
  "CREATE TABLE lab.m_all AS lab.secrets ENGINE = Merge('lab', '^(alpha|secrets)$')",
  'CREATE TABLE lab.b_secret AS lab.secrets ENGINE = Buffer(lab, secrets, 1, 10, 100, 10, 100, 10, 100)',
  "CREATE TABLE lab.a_secret ENGINE = Alias('lab', 'secrets')",
  'CREATE TABLE lab.s_secret (id Int64) ENGINE = Set',
  'INSERT INTO lab.s_secret SELECT id FROM lab.y',
  'CREATE TABLE lab.j_secret (k String, v String) ENGINE = Join(ANY, LEFT, k)',
  'INSERT INTO lab.j_secret SELECT k, v FROM lab.secrets',
  "CREATE DICTIONARY lab.d_secret (id Int64, v String) PRIMARY KEY id SOURCE(CLICKHOUSE(DB 'lab' TABLE 'secrets')) LAYOUT(HASHED()) LIFETIME(0)",
]

function scope(
  role: string,
  database: string,
  tables: readonly string[],
  options: {
    readonly isCatalogued?: boolean
    readonly behindViews?: readonly string[]
    /** The columns of each table that a query must not read. */
    readonly restricted?: Readonly<Record<string, readonly string[]>>
  } = {},
): FuzzScope {
  const { isCatalogued = false, behindViews = [], restricted = {} } = options
  const columns = new Map(
    tables.map(table => {
      const names = CASE_COLUMNS[table] ?? (NARROW_TABLES.includes(table) ? ['id'] : WIDE_COLUMNS.map(([name]) => name))
      const hidden = names.filter(name => restricted[table]?.includes(name))
      return [
        table,
        {
          readable: new Set(names.filter(name => !hidden.includes(name))),
          restricted: new Set(hidden),
          byNameOnly: new Set<string>(),
        },
      ]
    }),
  )
  return { role, guard: { database, tables: new Set(tables), ...(isCatalogued ? { columns } : {}) }, behindViews }
}

interface Mark {
  readonly text: string
  readonly number: string
}

function wideTable(name: string, { text, number }: Mark, own: Mark | undefined): readonly string[] {
  const table = quoted(name)
  const hidden = own ?? { text, number }
  const columns = WIDE_COLUMNS.map(([column, type]) => `\`${column}\` ${type}`).join(', ')
  return [
    `CREATE TABLE ${table} (${columns}) ENGINE = ReplacingMergeTree ORDER BY (id, intHash32(id)) SAMPLE BY intHash32(id) COMMENT '${text}'`,
    `INSERT INTO ${table} SELECT number, if(number = 5, ${number}, number % 3), ['a', 'b', 'c', '${text}'][number % 4 + 1], '${text}', ` +
      `toDate('2026-01-01') + number, number / 2, ['a', '${hidden.text}'], [number, number % 3], map('k', '${text}'), (number, '${text}'), ` +
      `if(number % 2, number, NULL), ${number}, '${text}', [number], ['${text}'], '${hidden.text}', '{"a":1,"pin":"${hidden.text}","b":{"c":${hidden.number}}}', '${hidden.text}' FROM numbers(6)`,
  ]
}

function narrowTable(name: string, { text, number }: Mark): readonly string[] {
  return [
    `CREATE TABLE ${quoted(name)} (id Int64) ENGINE = MergeTree ORDER BY id COMMENT '${text}'`,
    `INSERT INTO ${quoted(name)} VALUES (1), (3), (${number})`,
  ]
}

/**
 * Creates the tables for the guard's test cases, with few rows. Their secret marks are new in each run, because the old marks occur in the
 * cases' own text.
 */
function caseTables(markOf: (table: string) => Mark): readonly string[] {
  const created = readFileSync(CASE_SCHEMA, 'utf8')
    .replace(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map(statement => statement.trim())
    .filter(statement => statement.startsWith('CREATE'))
  const secret = markOf('demo.secrets').text
  return [
    ...created,
    `INSERT INTO demo.p_orders SELECT number, number % 10, number * 1.5, number % 7, ['new', 'paid', 'void'][number % 3 + 1], toDateTime('2026-01-01 00:00:00') + number * 3600, toDate('2026-01-01') + intDiv(number, 24), ['a', 'b', toString(number % 5)], map('k', toString(number)), 'o', if(number % 2, 'g', NULL), 'ok' FROM numbers(60)`,
    `INSERT INTO demo.p_vendors SELECT number, concat('v', toString(number)), ['US', 'DE', 'FR'][number % 3 + 1], toDateTime('2026-01-01 00:00:00'), number % 2, if(number % 3, number * 1.1, NULL) FROM numbers(10)`,
    `INSERT INTO demo.t_final SELECT number, number % 10, number * 2.5, toDate('2026-01-01') + intDiv(number, 24), toDateTime('2026-01-01 00:00:00') + number * 3600, arrayReduce('uniqState', [toUInt64(number)]), number FROM numbers(40)`,
    `INSERT INTO demo.secrets VALUES ('api', '${secret}')`,
    `INSERT INTO other.users VALUES (1, '${markOf('other.users').text}')`,
    `INSERT INTO demo.j_secret VALUES ('api', '${secret}')`,
  ]
}

function usersXml(): string {
  const settings = Object.entries({
    ...READER_SETTINGS,
    max_execution_time: '2',
    max_memory_usage: '200000000',
    max_rows_to_read: '2000000',
    max_result_bytes: '2000000',
    max_threads: '1',
    readonly: '1',
  })
  const scopes = [...FUZZ_SCOPES, CASE_SCOPE]
  const roles = scopes.map(({ role, guard, behindViews }) => {
    // A view reads its tables with the rights of the person who asks.
    const grants = [...guard.tables, ...behindViews].map(table => {
      const columns = guard.columns?.get(table)
      const readable = columns?.restricted.size
        ? `(${[...columns.readable, ...SUBCOLUMNS].map(name => `\`${name}\``).join(', ')})`
        : ''
      return `<query>GRANT SELECT${readable} ON ${quoted(table)}</query>`
    })
    return `<${role}><grants>${grants.join('')}</grants></${role}>`
  })
  // The engine's only user is `default`. The statement USE requires the right to see the database.
  const held = [...scopes.map(({ role }) => `GRANT ${role}`), 'GRANT SHOW DATABASES ON system.*']
  return `<clickhouse>
  <profiles><default>${settings.map(([name, value]) => `<${name}>${value}</${name}>`).join('')}</default></profiles>
  <roles>${roles.join('')}</roles>
  <users><default><no_password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
    <grants>${held.map(grant => `<query>${grant}</query>`).join('')}</grants></default></users>
  <quotas><default/></quotas>
</clickhouse>`
}

function quoted(table: string): string {
  const dot = table.indexOf('.')
  return `${table.slice(0, dot)}.\`${table.slice(dot + 1)}\``
}
