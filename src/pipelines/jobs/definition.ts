import { CronExpressionParser } from 'cron-parser'
import { z } from 'zod'
import { errorMessage } from '../../base/errors.ts'
import { readYaml } from '../../base/text/read-yaml.ts'
import { isTimeZone } from '../../base/time-zone.ts'
import { PipelineError } from '../error.ts'
import { layersOf } from '../log/operation-order.ts'
import { type ArgumentValue, templatePlaceholders } from '../sql-template.ts'

export const PRESERVATION_MODES = ['NONE', 'FULL'] as const
export type PreservationMode = (typeof PRESERVATION_MODES)[number]

/** A name becomes part of a table name or placeholder, so it may contain only lower-case letters, digits and underscores. */
const NAME = /^[a-z][a-z0-9_]{0,47}$/
/**
 * Matches a table name that Clew gives to a job's intermediate result: `t_` and 16 hexadecimal digits. Such a table is dropped
 * after the job.
 */
export const OWN_TABLE = /^t_[0-9a-f]{16}$/

const nameSchema = z.string().regex(NAME, 'must begin with a small letter and hold small letters, digits and _ only, 48 at most')
const tableSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be the name of a table: letters, digits and _ only, without a database')
  .refine(name => !OWN_TABLE.test(name), 'must not look like a table of a job, t_ and 16 hexadecimal digits')
const sqlSchema = z.string().trim().min(1, 'must be a SELECT').max(65_536, 'must be 64 KB at most')
/** JavaScript would round a larger whole number. As a text, it stays exact. */
const numberSchema = z
  .number()
  .refine(value => !Number.isInteger(value) || Number.isSafeInteger(value), 'is too large to be exact: write it as a text')
/** The value of an argument of a job. */
export const argumentSchema: z.ZodType<ArgumentValue> = z.union([z.string(), numberSchema, z.boolean(), z.null()], {
  error: 'must be a text, a number, true, false or null',
})
const sortingKeySchema = z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a column')).default([])

/**
 * An input of a job. With `source`, each run of the job loads the input anew into the table `p_<name>`. With `table`, the input
 * is an existing table that belongs to someone else.
 */
const inputSchema = z.union(
  [
    z.strictObject({ source: sqlSchema, description: z.string().default(''), order_by: sortingKeySchema }),
    z.strictObject({ table: tableSchema, description: z.string().default('') }),
  ],
  {
    error:
      'must have either `source`, a SELECT, or `table`, a table that is there; `description` and, with a source, `order_by` may stand beside',
  },
)

const operationSchema = z.strictObject({
  name: nameSchema,
  description: z.string().default(''),
  /** One SELECT statement. It may contain placeholders: `{{ input }}`, `{{ operation }}` and `{{ arguments.name }}`. */
  sql: sqlSchema,
  order_by: sortingKeySchema,
})

/** A registered job: its YAML with defaults filled in. */
export const jobDefinitionSchema = z.strictObject({
  name: nameSchema,
  description: z.string().default(''),
  arguments: z.record(nameSchema, argumentSchema).default({}),
  inputs: z.record(nameSchema, inputSchema).default({}),
  operations: z.array(operationSchema).min(1, 'must have at least one operation').max(200, 'must have 200 operations at most'),
  /** The rows of the operation called `operation` are published as a table called `table`. */
  target: z.strictObject({ operation: nameSchema, table: tableSchema }),
  /** A cron schedule of five fields. */
  schedule: z
    .string()
    .regex(/^\S+(?:\s+\S+){4}$/, 'must be a cron expression of five fields, e.g. "0 6 * * *"')
    .optional(),
  time_zone: z.string().default('UTC'),
  preservation: z.enum(PRESERVATION_MODES).optional(),
  /** With the preservation mode `FULL`, the job's tables are kept for this many hours after its end. */
  ttl_hours: z.number().positive().max(8_760).default(72),
})
export type JobDefinition = z.infer<typeof jobDefinitionSchema>
export type JobOperation = JobDefinition['operations'][number]

/**
 * Reads and checks a definition.
 * @throws PipelineError `definition`, with one line per mistake; each line names the place
 */
export function parseJobDefinition(yaml: string): JobDefinition {
  const read = readYaml(yaml, jobDefinitionSchema)
  const mistakes = read.ok ? mistakesIn(read.value) : read.mistakes
  if (!read.ok || mistakes.length > 0) throw refuse(mistakes)
  return read.value
}

/** Returns the operations in layers. Each operation reads only inputs and operations of earlier layers. */
export function operationLayers(definition: JobDefinition): readonly (readonly JobOperation[])[] {
  const sorted = sortOperations(definition)
  if ('cycle' in sorted) throw refuse([cycleSentence(sorted.cycle)])
  const byName = new Map(definition.operations.map(operation => [operation.name, operation]))
  return sorted.layers.map(layer => layer.flatMap(name => byName.get(name) ?? []))
}

/** An input that each run loads, or an operation. */
export interface JobStep {
  readonly name: string
  readonly description: string
  readonly sql: string
  readonly isInput: boolean
  /** Its place in the definition, for messages about mistakes. */
  readonly label: string
}

/** Returns the steps of a run. Each stands after those that it reads. */
export function jobSteps(definition: JobDefinition): readonly JobStep[] {
  return stepsOf({ ...definition, operations: operationLayers(definition).flat() })
}

function stepsOf({ inputs, operations }: JobDefinition): readonly JobStep[] {
  const loaded = Object.entries(inputs).flatMap(([name, input]) =>
    'source' in input ? [{ ...input, name, sql: input.source, isInput: true, label: `inputs.${name}` }] : [],
  )
  return [...loaded, ...operations.map(each => ({ ...each, isInput: false, label: `operation ${each.name}` }))]
}

function sortOperations({ operations }: JobDefinition): ReturnType<typeof layersOf> {
  const needs = new Map(operations.map(({ name, sql }) => [name, templatePlaceholders(sql).tables]))
  return layersOf([...needs.keys()], name => needs.get(name) ?? [])
}

function mistakesIn(definition: JobDefinition): readonly string[] {
  const { inputs, operations, target } = definition
  const names = operations.map(({ name }) => name)
  const twice = names.filter((name, at) => names.indexOf(name) !== at || Object.hasOwn(inputs, name))
  const known = new Set([...Object.keys(inputs), ...names])
  const templates = stepsOf(definition).map(step => ({ ...step, ...templatePlaceholders(step.sql) }))
  const read = new Set(templates.flatMap(({ tables }) => tables))
  const usedArguments = new Set(templates.flatMap(template => template.arguments))
  const sorted = sortOperations(definition)
  const wrongTime = scheduleMistake(definition)
  return [
    ...twice.map(name => `the name ${name} is given twice`),
    ...templates.flatMap(({ label, malformed }) =>
      malformed.map(text => `${label}: {{ ${text} }} is not an input, an operation or {{ arguments.name }}`),
    ),
    ...templates.flatMap(({ label, tables, isInput }) =>
      tables.flatMap(name => {
        if (isInput) return [`${label}: a source reads tables by their own names, not {{ ${name} }}`]
        return known.has(name) ? [] : [`${label}: there is no input or operation ${name}`]
      }),
    ),
    ...templates.flatMap(({ label, arguments: used }) =>
      used
        .filter(name => !Object.hasOwn(definition.arguments, name))
        .map(name => `${label}: there is no argument ${name}; give it a default under \`arguments\``),
    ),
    ...Object.keys(inputs)
      .filter(name => !read.has(name))
      .map(name => `the input ${name} is not read by any operation`),
    ...names
      .filter(name => name !== target.operation && !read.has(name))
      .map(name => `the operation ${name} leads nowhere: no other reads it, and it is not the target`),
    ...Object.keys(definition.arguments)
      .filter(name => !usedArguments.has(name))
      .map(name => `the argument ${name} is not used`),
    ...(names.includes(target.operation) ? [] : [`target: there is no operation ${target.operation}`]),
    ...tableMistakes(definition),
    ...(wrongTime === undefined ? [] : [wrongTime]),
    ...('cycle' in sorted ? [cycleSentence(sorted.cycle)] : []),
  ]
}

/**
 * Returns the mistakes in the tables that a definition names. For example, the published table must not be one of the existing
 * inputs.
 */
function tableMistakes({ inputs, target }: JobDefinition): readonly string[] {
  const written = new Map(
    Object.entries(inputs).flatMap(([name, input]) => ('source' in input ? [[inputTable(name), name]] : [])),
  )
  const read = Object.entries(inputs).flatMap(([name, input]) => ('table' in input ? [[input.table, name] as const] : []))
  return [
    ...(written.has(target.table) ? [`target: ${target.table} is the table of the input ${written.get(target.table)}`] : []),
    ...read
      .filter(([table]) => table === target.table)
      .map(([table, name]) => `the input ${name} is the target itself, ${table}`),
    ...read
      .filter(([table]) => written.has(table))
      .map(([table, name]) => `the input ${name} is ${table}, which the input ${written.get(table)} is loaded into`),
  ]
}

/** Returns the table name for an input with a `source`: the input `orders` becomes `p_orders`. */
export function inputTable(name: string): string {
  return `p_${name}`
}

function cycleSentence(cycle: readonly string[]): string {
  return `operations that need each other: ${[...cycle, cycle[0]].join(' → ')}`
}

function refuse(mistakes: readonly string[]): PipelineError {
  const [only] = mistakes
  const text = mistakes.length === 1 ? ` ${only}.` : `\n${mistakes.map(mistake => `- ${mistake}`).join('\n')}`
  return new PipelineError(`The job's definition is wrong:${text}`, { kind: 'definition' })
}

/**
 * Returns what is wrong with a schedule, in words that can follow the field's name. Returns undefined for a valid schedule. The
 * queue parses schedules with the same library (cron-parser, in the version of BullMQ), so the queue accepts every valid
 * schedule.
 */
function scheduleMistake({
  schedule,
  time_zone: tz,
}: {
  readonly schedule?: string | undefined
  readonly time_zone: string
}): string | undefined {
  if (!isTimeZone(tz)) return `time_zone: ${tz} is not a time zone: name one such as Europe/Berlin`
  if (schedule === undefined) return undefined
  try {
    // Computes the time of the first run, because the parser alone accepts a date that does not exist, such as 30 February. This
    // call throws for it.
    CronExpressionParser.parse(schedule, { tz }).next()
    return undefined
  } catch (error) {
    const reason = errorMessage(error).replace(/(?<![.\s])[.\s]+$/, '')
    return `schedule: ${schedule} is not a cron expression (${reason}): write minute, hour, day, month and weekday, e.g. "0 6 * * *"`
  }
}
