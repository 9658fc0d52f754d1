import { z } from 'zod'
import { parameterFaults } from './parameter-faults.ts'
import { exampleValue } from './parameter-values.ts'
import { filledQuestion, filledSql, type QueryTemplate, queryParameterSchema } from './query-parameters.ts'

/** A word that the organisation uses, and its meaning in the data. */
const termSchema = z.strictObject({
  term: z.string().min(1),
  /** Other words for the term. */
  also: z.array(z.string().min(1)).default([]),
  means: z.string().min(1),
})
export type Term = z.infer<typeof termSchema>

/** A figure with a single definition: `SELECT sql FROM from WHERE where GROUP BY dimensions` computes it. */
const metricSchema = z.strictObject({
  name: z.string().min(1),
  /** An aggregate expression over the columns of `from`. */
  sql: z.string().min(1),
  /** A table as `database.table`, or a join. */
  from: z.string().min(1),
  where: z.string().min(1).optional(),
  /** A description of what one row of `from` is, such as "one order". */
  grain: z.string().min(1),
  /** The columns of `from` by which the metric may be grouped. */
  dimensions: z.array(z.string().min(1)).default([]),
  unit: z.string().min(1),
  description: z.string().default(''),
})
export type Metric = z.infer<typeof metricSchema>

/** A question with SQL that a person has verified. */
export const verifiedQuerySchema = z
  .strictObject({
    question: z.string().min(1),
    sql: z.string().min(1),
    verified_by: z.string().min(1),
    verified_at: z.iso.date(),
    /** Values that differ from question to question. They stand as `{name}` in question and SQL. */
    parameters: z.array(queryParameterSchema).optional(),
    /** The time column that shows how old the data is, as `database.table.column`. */
    data_time: z.string().min(1).optional(),
  })
  .superRefine((query, context) => {
    for (const message of parameterFaults(query)) context.addIssue({ code: 'custom', path: ['parameters'], message })
  })
type VerifiedQueryEntry = z.infer<typeof verifiedQuerySchema>

/** A verified query. If it has placeholders, `question` and `sql` contain the example values. */
export interface VerifiedQuery
  extends Pick<VerifiedQueryEntry, 'question' | 'sql' | 'verified_by' | 'verified_at' | 'data_time'> {
  /** The query with placeholders for the open values. Absent if the query has none. */
  readonly template?: QueryTemplate
}

export function verifiedQueryOf({ parameters, question, sql, ...rest }: VerifiedQueryEntry): VerifiedQuery {
  if (parameters === undefined || parameters.length === 0) return { ...rest, question, sql }
  const template = { question, sql, parameters }
  const literals = new Map(parameters.flatMap(parameter => exampleValue(parameter)?.literals ?? []))
  const examples = new Map(parameters.map(({ name, example }) => [name, String(example)]))
  return { ...rest, question: filledQuestion(question, examples), sql: filledSql(sql, literals), template }
}

/** Returns a verified query as its author wrote it, with placeholders for its open values. */
export function templateOf({ question, sql, template }: VerifiedQuery): QueryTemplate {
  return template ?? { question, sql }
}

/** The files of a domain pack that contain lists, with the schema of each. */
export const DOMAIN_LISTS = {
  'glossary.yaml': z.array(termSchema),
  'metrics.yaml': z.array(metricSchema),
  'verified-queries.yaml': z.array(verifiedQuerySchema),
} as const

/** A Markdown file that describes the tables in a few paragraphs. */
export const CATALOG_FILE = 'CATALOG.md'

/** Returns the query that computes a metric for each combination of its dimensions. */
export function metricQuery({ sql, from, where, dimensions }: Metric): string {
  const columns = [...dimensions, `(${sql}) AS metric_value`].join(', ')
  const groups = dimensions.length === 0 ? '' : ` GROUP BY ${dimensions.join(', ')}`
  return `SELECT ${columns} FROM ${from}${where === undefined ? '' : ` WHERE ${where}`}${groups}`
}
