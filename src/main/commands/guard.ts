import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { ConfigurationError } from '../../base/errors.ts'
import { parseJson } from '../../base/text/parse-json.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import { ERROR_ROUTES } from '../../warehouse/error-routes.ts'
import { rejection } from '../../warehouse/guard/rejection.ts'
import type { GuardScope, GuardVerdict, SqlGuard } from '../../warehouse/sql-guard.ts'
import { wireGuard, wireWarehouse } from '../parts.ts'
import { openSource, sourceNamed } from '../sources.ts'
import { openStateStore } from '../store.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

const requestSchema = z.object({ id: z.union([z.string(), z.number()]), sql: z.string() })

export interface GuardCommandOptions {
  /** The tables that queries may read, as `database.table`. */
  readonly scope: GuardScope['tables']
  /** The database for tables that the SQL names without a database. */
  readonly database: string
  readonly input: Readable
  readonly output: Writable
  readonly guard: SqlGuard
}

/**
 * `clew guard`: judges one `{ "id", "sql" }` per line. Prints one verdict per line, in input order, each as soon as it is known.
 * Executes nothing and skips empty lines. The verdict on a malformed line has `"id": null`, `"verdict": "reject"` and code
 * `malformed_line`.
 * @returns the numbers of judged and malformed lines
 * @throws WarehouseError if the engine is unreachable
 */
export async function guardCommand(
  options: GuardCommandOptions,
  signal: AbortSignal,
): Promise<{ readonly judged: number; readonly malformed: number }> {
  const scope: GuardScope = { database: options.database, tables: options.scope }
  const lines = createInterface({ input: options.input, crlfDelay: Number.POSITIVE_INFINITY, signal })
  let judged = 0
  let malformed = 0
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() === '') continue
    const request = requestSchema.safeParse(parseJson(line))
    if (request.success) judged += 1
    else malformed += 1
    const verdict = request.success ? await judge(options.guard, request.data, scope, signal) : malformedLine(number)
    await write(options.output, `${JSON.stringify(verdict)}\n`)
  }
  // After an abort, `readline` ends as if there were no more lines. So the abort must be thrown here.
  signal.throwIfAborted()
  return { judged, malformed }
}

/** Runs `clew guard`. It needs an engine, but no data. Without CLICKHOUSE_URL, the engine runs in memory. */
export async function judgeStandardInput(
  context: CommandContext,
  { scope: tables, source }: { readonly scope: string; readonly source?: string },
): Promise<number> {
  const { tables: scope, database } = parseGuardScope(tables)
  const guard = source === undefined ? await warehouseGuard(context) : await sourceGuard(context, source)
  const { malformed } = await guardCommand(
    { scope, database, input: process.stdin, output: context.output, guard },
    context.signal,
  )
  return malformed > 0 ? EXIT.usage : EXIT.answered
}

async function sourceGuard(context: CommandContext, id: string): Promise<SqlGuard> {
  return openSource(context, await openStateStore(context), sourceNamed(context.config, id)).guard
}

async function warehouseGuard(context: CommandContext): Promise<SqlGuard> {
  const { warehouse: settings } = context.config
  const config = { ...context.config, warehouse: { ...settings, url: settings.url ?? 'chdb:memory', databases: ['default'] } }
  const warehouse = await wireWarehouse({ ...context, config }, context.signal)
  return wireGuard(context, warehouse, context.signal, sentence => tell(context, sentence))
}

/**
 * Parses `--scope db.t1,db.t2`. The first table's database also becomes the default.
 * @throws ConfigurationError for any other form
 */
export function parseGuardScope(text: string): GuardScope {
  const tables = text.split(',').map(table => table.trim())
  const wrong = tables.find(table => !/^[^.]+\.[^.]+$/.test(table))
  const database = tables[0]?.split('.')[0]
  if (wrong !== undefined || database === undefined) {
    throw new ConfigurationError(
      `--scope must list tables as database.table, separated by commas; ${JSON.stringify(wrong ?? '')} is not one.`,
    )
  }
  return { database, tables: new Set(tables) }
}

async function judge(guard: SqlGuard, { id, sql }: z.infer<typeof requestSchema>, scope: GuardScope, signal: AbortSignal) {
  const verdict = await guard.check(sql, scope, signal).catch(verdictOfFailure)
  const { canonical, tables, functions } = verdict.verdict === 'allow' ? verdict : { canonical: null, tables: [], functions: [] }
  const { code, message } = verdict.verdict === 'reject' ? verdict : { code: null, message: null }
  return { id, verdict: verdict.verdict, code, message, canonical, tables, functions }
}

/** A mistake in names or types that the server's analysis finds is a verdict on the line, and the next line is judged. */
function verdictOfFailure(error: unknown): GuardVerdict {
  const route = error instanceof WarehouseError ? ERROR_ROUTES[error.kind].route : undefined
  if (!(error instanceof WarehouseError) || route === 'wait' || route === 'give_up') throw error
  return rejection('not_understood', error.message)
}

function malformedLine(number: number) {
  const message = `Line ${number} is not a JSON object with "id" and "sql".`
  return { id: null, verdict: 'reject', code: 'malformed_line', message, canonical: null, tables: [], functions: [] }
}

/** Writes a line and waits until the stream has taken it. Otherwise lines would pile up in memory if the reader is slow. */
function write(output: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => output.write(text, error => (error ? reject(error) : resolve())))
}
