import { definitionsUsed } from '../../domain/definitions-used.ts'
import type { Schema } from '../../warehouse/schema.ts'
import type { QuestionContext, ReadContext } from '../run/context.ts'
import type { QueryReport } from '../run/result.ts'
import { dataUntil } from './data-age.ts'

/** Adds to a query the definitions that it uses, and the age of a verified query's data. This runs while the answer is being written. */
export async function withDefinitions(
  context: QuestionContext & ReadContext,
  schema: Schema,
  query: QueryReport,
  signal: AbortSignal,
): Promise<QueryReport> {
  const { question, sql, id, tables } = query
  if (query.error !== null || sql === null) return query
  const { domain, warehouse } = context
  const verified = query.definitions?.verified ?? null
  const [used, until] = await Promise.all([
    definitionsUsed({ question, sql }, domain(), warehouse, signal),
    verified === null
      ? undefined
      : dataUntil(context, { schema, id, tables: tables ?? [], dataTime: verified.data_time }, signal),
  ])
  if (verified === null) return { ...query, definitions: used }
  return {
    ...query,
    definitions: { verified, metrics: used?.metrics ?? [] },
    ...(until === undefined ? {} : { data_until: until }),
  }
}
