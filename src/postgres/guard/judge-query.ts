import { nearText, shown } from '../../warehouse/guard/rejection.ts'
import { nearNames } from '../../warehouse/near-names.ts'
import type { GuardScope } from '../../warehouse/sql-guard.ts'
import type { QueryFacts } from './query-facts.ts'
import type { ReferencedObjects } from './referenced-objects.ts'
import { refuse, refuseConversion, refuseFunction, refuseTable, refuseType, refuseUnknown } from './refusal.ts'
import { FIRST_USER_ID, HOOK_KINDS, type Hook, type ServerObjects } from './server-objects.ts'

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

/**
 * Decides whether a query may read what it refers to.
 * @throws Refusal
 */
export function judgeQuery(facts: QueryFacts, known: Known, scope: GuardScope): void {
  for (const [oid, columns] of facts.relations) {
    const { name, columns: names } = known.referenced.relations.get(oid) ?? refuseUnknown()
    judgeColumns(name, names, columns, scope)
  }
  judgeFunctions(facts, known.server)
  judgeTypes(facts, known)
  judgeHooks(facts, known)
}

function judgeColumns(table: string, names: ReadonlyMap<number, string>, columns: ReadonlySet<number>, scope: GuardScope): void {
  if (!scope.tables.has(table)) refuseTable(table, scope)
  const allowed = scope.columns?.get(table)
  const isWhole = columns.has(WHOLE_ROW)
  const named = [...columns].filter(number => number !== WHOLE_ROW).map(number => names.get(number))
  for (const column of [...named, ...(isWhole ? names.values() : [])]) {
    if (column === undefined) refuse('out_of_scope', `The system's own columns of ${shown(table)} may not be read.`)
    if (allowed === undefined || allowed.readable.has(column)) continue
    if (!allowed.restricted.has(column)) refuseColumn(column, table, allowed.readable)
    refuse(
      'out_of_scope',
      isWhole
        ? `This reads every column, and column ${shown(column)} of ${shown(table)} may not be read: it is private. Name the columns that you need.`
        : `Column ${shown(column)} of ${shown(table)} may not be read: it is private. Leave it out, also of conditions, and name columns instead of writing *.`,
    )
  }
}

function refuseColumn(column: string, table: string, readable: ReadonlySet<string>): never {
  const near = nearText(nearNames(column, readable))
  refuse('out_of_scope', `There is no column ${shown(column)} of ${shown(table)} that may be read${near}.`)
}

function judgeFunctions({ functions, operators }: QueryFacts, server: ServerObjects): void {
  // A user's own operator is not among the server's, so its function is unknown.
  const called = [...functions, ...[...operators].map(operator => server.operators.get(operator) ?? FIRST_USER_ID)]
  const refused = called.find(oid => !server.allowedFunctions.has(oid))
  if (refused !== undefined) refuseFunction(server.functions.get(refused) ?? refuseConversion())
}

/** A type may be the server's, or belong to a relation that the query reads. */
function judgeTypes({ types, typeNames }: QueryFacts, { server, referenced }: Known): void {
  // Reading a value of a domain runs its checks, so a text may only name types of the server.
  const named = [...typeNames].find(name => !server.allowedTypes.has(referenced.typesNamed.get(name) ?? Number.NaN))
  if (named !== undefined) refuseType(named)
  const refused = [...types].find(oid => !server.allowedTypes.has(oid) && referenced.types.get(oid)?.isOwn !== true)
  if (refused !== undefined) refuseType(referenced.types.get(refused)?.name)
}

/**
 * Refuses a value for which the server would look up a user's function by itself, while the query runs. JSON is made by a cast to
 * json, some texts by a cast to text, and lists and rows compare by the default operator class of what they hold. No tree names these functions.
 */
function judgeHooks({ kinds, functions, operators }: QueryFacts, { server, referenced }: Known): void {
  const called = [...functions, ...[...operators].map(operator => server.operators.get(operator) ?? 0)]
  const isTaken = (hook: Hook) =>
    HOOKS[hook].nodes.some(node => kinds.has(node)) || called.some(oid => server.hooks[hook].has(oid))
  const found = HOOK_KINDS.find(hook => referenced.hooks[hook] && isTaken(hook))
  if (found !== undefined)
    refuse('function', `The query ${HOOKS[found].what} of its own: select that column plainly, or leave it out.`)
}
