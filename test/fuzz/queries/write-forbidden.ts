import type { Place, QueryContext, ValueType } from './query-context.ts'

const CALLS = [
  "file('secret.txt')",
  "file('/etc/hostname')",
  "dictGet('lab.d_secret', 'v', 1)",
  "dictGetOrDefault('lab.d_secret', 'v', 1, '')",
  "dictHas('lab.d_secret', 1)",
  "joinGet('lab.j_secret', 'v', 'a')",
  "joinGetOrNull('lab.j_secret', 'v', 'b')",
  "arrayMap(file, ['secret.txt'])[1]",
  "arrayMap(x -> file(x), ['secret.txt'])[1]",
  "arrayFirst(file, ['secret.txt'])",
  'currentUser()',
  'hostName()',
  "getSetting('readonly')",
  "hasColumnInTable('lab', 'secrets', 'v')",
  "getServerSetting('max_connections')",
  'sleep(0)',
  "throwIf(1, 'x')",
  '__getScalar(1)',
  "catboostEvaluate('x', 1)",
  'currentDatabase()',
  "aiGenerate('x')",
  "arrayReduce('aggThrow', [1])",
] as const

const TABLES = [
  "file('secret.txt', 'LineAsString')",
  "url('http://127.0.0.1:1/', LineAsString)",
  "remote('127.0.0.1:1', lab.secrets)",
  "cluster('default', lab.secrets)",
  "merge('lab', '^secrets$')",
  "merge('secrets')",
  "merge(REGEXP('lab|vault'), 'secrets')",
  'loop(lab.secrets)',
  "loop('lab', 'secrets')",
  'view(SELECT * FROM lab.secrets)',
  "viewIfPermitted(SELECT * FROM lab.secrets ELSE null('id Int64'))",
  "dictionary('lab.d_secret')",
  "mergeTreeIndex('lab', 'secrets')",
  "mergeTreeAnalyzeIndexes('lab', 'secrets')",
  "filesystem('.')",
  "eval('SELECT * FROM lab.secrets')",
  "viewExplain('EXPLAIN', '', (SELECT * FROM lab.secrets))",
  "executable('x', 'TSV', 'id Int64')",
  'format(JSONEachRow, \'{"id": 1}\')',
  "sqlite('x', 'y')",
  "null('id Int64')",
  "generateRandom('id Int64')",
  'zeros(3)',
  'primes(3)',
  'lab.p_view(i = 1)',
  'lab.v_secret',
  'lab.d_secret',
  'lab.j_secret',
  'lab.m_all',
  'lab.b_secret',
  'lab.a_secret',
  'lab.s_secret',
  'system.tables',
  'system.one',
  'system.numbers',
  'system.settings',
  'system.functions',
  'information_schema.tables',
  'INFORMATION_SCHEMA.columns',
] as const

/** Writes a call of a forbidden function, in a place that needs a value of this type. */
export function writeForbiddenCall({ random }: QueryContext, type: ValueType, place: Place): string {
  const call = random.pick(CALLS)
  // Sometimes hides the call in a branch that never runs, or in a lambda that nobody calls.
  if (random.chance(0.2)) return `if(1, ${call}, ${call})`
  if (type === 'text' && place.depth > 0 && random.chance(0.2)) return `toString(${call})`
  return call
}

/** Writes a table or table function that no scope allows. */
export function writeForbiddenTable({ random, names }: QueryContext): string {
  return random.chance(0.45) ? random.pick(TABLES) : names.anyTable(random.chance(0.7) ? 'wide' : 'narrow')
}
