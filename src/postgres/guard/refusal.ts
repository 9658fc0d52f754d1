import { WarehouseError } from '../../warehouse/error.ts'
import { type Rejection, rejection, shown } from '../../warehouse/guard/rejection.ts'
import { outOfScope } from '../../warehouse/guard/table-scope.ts'
import type { GuardScope } from '../../warehouse/sql-guard.ts'

/** Thrown within this folder where a query is refused. The guard returns it as its verdict. */
export class Refusal extends WarehouseError {
  readonly verdict: Rejection

  constructor(verdict: Rejection) {
    super(verdict.message, { kind: 'query' })
    this.verdict = verdict
  }
}

/** @throws Refusal always */
export function refuse(...[code, message]: Parameters<typeof rejection>): never {
  throw new Refusal(rejection(code, message))
}

/** Refuses a table by its name. Names stand with their schema, because the server finds them only so. */
export function refuseTable(name: string, scope: GuardScope): never {
  throw new Refusal(outOfScope(name, { ...scope, database: '' }, 'from'))
}

export function refuseFunction(name: string): never {
  refuse(
    'function',
    `The function ${shown(name)} is not available: only the server's own functions that compute from their arguments are.`,
  )
}

export function refuseType(name = 'of a value in the query'): never {
  refuse(
    'identifier',
    `The type ${shown(name)} is not available, or does not have the value: use types of the columns that the query reads.`,
  )
}

/** A user's functions are reached by casts and operators only, since names with a schema are judged before. */
export function refuseConversion(): never {
  refuse(
    'function',
    'The query converts or compares a value whose type users have made, and the server itself cannot: select that column plainly.',
  )
}

export function refuseXml(): never {
  refuse('function', 'XML functions and table functions such as XMLTABLE are not available.')
}

export function refuseUnknown(): never {
  refuse('not_understood', 'The query has a part that is not understood: write it more simply.')
}
