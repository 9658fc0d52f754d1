import { type Rejection, rejection, shown } from '../../warehouse/guard/rejection.ts'
import { outOfScope } from '../../warehouse/guard/table-scope.ts'
import { nearNames } from '../../warehouse/near-names.ts'
import type { GuardScope } from '../../warehouse/sql-guard.ts'
import type { QueryFacts, TreeFault } from './query-facts.ts'
import type { ReferencedObjects, Relation } from './referenced-objects.ts'
import { FIRST_USER_ID, HOOK_KINDS, type Hook, type ServerObjects } from './server-objects.ts'
import { functionRefused } from './sql-text.ts'

/** A user's functions are reached by casts and operators only, since names with a schema are judged before. */
export const CONVERSION_REFUSED = rejection(
  'function',
  'The query converts or compares a value whose type users have made, and the server itself cannot: select that column plainly.',
)

/** The ways to a user's function that no query names, with the nodes that take them without naming a function either. */
const HOOKS = {
  json: { nodes: ['JSONCONSTRUCTOREXPR'], what: 'makes JSON from a value whose type users have given a conversion' },
  text: { nodes: [], what: 'makes a text from a value whose type users have given a conversion' },
  order: {
    nodes: ['MINMAX', 'MINMAXEXPR', 'CTECYCLECLAUSE', 'CTESEARCHCLAUSE'],
    what: 'compares values, lists or rows, and reads a column whose type users have given an order',
  },
} as const satisfies Record<Hook, { readonly nodes: readonly string[]; readonly what: string }>

interface Known {
  readonly server: ServerObjects
  readonly referenced: ReferencedObjects
}

/** The number of a relation's whole row, in place of a column's. */
const WHOLE_ROW = 0

/** Decides whether a query may read what it refers to. Undefined if it may. */
export function judgeQuery(facts: QueryFacts, known: Known, scope: GuardScope): Rejection | undefined {
  for (const [oid, columns] of facts.relations) {
    const relation = known.referenced.relations.get(oid)
    const fault = relation === undefined ? TREE_FAULTS.unknown : judgeRelation(relation, columns, scope)
    if (fault !== undefined) return fault
  }
  return judgeFunctions(facts, known.server) ?? judgeTypes(facts, known) ?? judgeHooks(facts, known)
}

function judgeRelation(relation: Relation, columns: ReadonlySet<number>, scope: GuardScope): Rejection | undefined {
  const { name: table } = relation
  if (!scope.tables.has(table)) return tableRefused(table, scope)
  const allowed = scope.columns?.get(table)
  const isWhole = columns.has(WHOLE_ROW)
  const named = [...columns].filter(number => number !== WHOLE_ROW).map(number => relation.columns.get(number))
  for (const column of [...named, ...(isWhole ? relation.columns.values() : [])]) {
    if (column === undefined) return rejection('out_of_scope', `The system's own columns of ${shown(table)} may not be read.`)
    if (allowed === undefined || allowed.readable.has(column)) continue
    if (!allowed.restricted.has(column)) return columnMissing(column, table, allowed.readable)
    return rejection(
      'out_of_scope',
      isWhole
        ? `This reads every column, and column ${shown(column)} of ${shown(table)} may not be read: it is private. Name the columns that you need.`
        : `Column ${shown(column)} of ${shown(table)} may not be read: it is private. Leave it out, also of conditions, and name columns instead of writing *.`,
    )
  }
  return undefined
}

/** Rejects a table by its name. Names stand with their schema, because the server finds them only so. */
export function tableRefused(name: string, scope: GuardScope): Rejection {
  return outOfScope(name, { ...scope, database: '' }, 'from')
}

function columnMissing(column: string, table: string, readable: ReadonlySet<string>): Rejection {
  const near = nearNames(column, readable)
  const end = near.length === 0 ? '' : `; near: ${near.map(shown).join(', ')}`
  return rejection('out_of_scope', `There is no column ${shown(column)} of ${shown(table)} that may be read${end}.`)
}

function judgeFunctions({ functions, operators }: QueryFacts, server: ServerObjects): Rejection | undefined {
  // A user's own operator is not among the server's, so its function is unknown.
  const called = [...functions, ...[...operators].map(operator => server.operators.get(operator) ?? FIRST_USER_ID)]
  const refused = called.find(oid => !server.allowedFunctions.has(oid))
  if (refused === undefined) return undefined
  const name = server.functions.get(refused)
  return name === undefined ? CONVERSION_REFUSED : functionRefused(name)
}

/** A type may be the server's, or belong to a relation that the query reads. */
function judgeTypes({ types, typeNames }: QueryFacts, { server, referenced }: Known): Rejection | undefined {
  // Reading a value of a domain runs its checks, so a text may only name types of the server.
  const named = [...typeNames].find(name => !server.allowedTypes.has(referenced.typesNamed.get(name) ?? Number.NaN))
  if (named !== undefined) return typeRefused(named)
  const refused = [...types].find(oid => !server.allowedTypes.has(oid) && referenced.types.get(oid)?.isOwn !== true)
  return refused === undefined ? undefined : typeRefused(referenced.types.get(refused)?.name)
}

/**
 * Rejects a value for which the server would look up a user's function by itself, while the query runs. JSON is made by a cast to
 * json, some texts by a cast to text, and lists and rows compare by the default operator class of what they hold. No tree names these functions.
 */
function judgeHooks({ kinds, functions, operators }: QueryFacts, { server, referenced }: Known): Rejection | undefined {
  const called = [...functions, ...[...operators].map(operator => server.operators.get(operator) ?? 0)]
  const isTaken = (hook: Hook) =>
    HOOKS[hook].nodes.some(node => kinds.has(node)) || called.some(oid => server.hooks[hook].has(oid))
  const found = HOOK_KINDS.find(hook => referenced.hooks[hook] && isTaken(hook))
  if (found === undefined) return undefined
  return rejection('function', `The query ${HOOKS[found].what} of its own: select that column plainly, or leave it out.`)
}

export function typeRefused(name = 'of a value in the query'): Rejection {
  return rejection(
    'identifier',
    `The type ${shown(name)} is not available, or does not have the value: use types of the columns that the query reads.`,
  )
}

/** The rejection of a tree, by what is wrong with it. */
export const TREE_FAULTS: Readonly<Record<TreeFault, Rejection>> = {
  not_select: rejection('not_select', 'Only one SELECT is allowed, without INTO.'),
  writes: rejection('not_select', 'Only a SELECT is allowed: no part of the query may change data, also not in WITH.'),
  locks: rejection('not_select', 'Rows may not be locked: leave FOR UPDATE and FOR SHARE out.'),
  parameter: rejection('parameter', 'The query has a placeholder without a value: write the value itself.'),
  xml: rejection('function', 'XML functions and table functions such as XMLTABLE are not available.'),
  session: rejection(
    'function',
    'The names of users, databases and schemas are not available: leave CURRENT_USER and its like out.',
  ),
  unknown: rejection('not_understood', 'The query has a part that is not understood: write it more simply.'),
}
