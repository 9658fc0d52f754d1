import { z } from 'zod'
import { DAY_MS, MINUTE_MS } from '../../base/durations.ts'
import { codeBlock } from '../../base/text/code-block.ts'
import { isTimeZone } from '../../base/time-zone.ts'
import { readGatheredColumns } from '../../clickhouse/column-lineage/read-column-lineage.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { SOURCE_KINDS } from '../../sources/kinds.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { scopeOfSchema } from '../../warehouse/scope-of-schema.ts'
import { readColumnType } from '../../warehouse/sql/column-type.ts'
import { quoteIdentifier, quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import type { Language } from '../../words/language.ts'
import { subscriptionWords } from '../../words/subscription.ts'
import type { Answer } from '../answer.ts'
import { askPerson } from '../ask-back/ask-person.ts'
import { askedBack } from '../ask-back/clarification.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext, RunContext } from '../run/context.ts'
import type { QueryReport } from '../run/result.ts'
import { spentOn, stepReports } from '../run/step-reports.ts'
import { describeNow } from '../run/time-context.ts'
import { conversationPrompt } from '../understand/conversation-prompt.ts'
import { clarificationSchema } from '../understand/planning-values.ts'
import { questionPrompt } from '../understand/question-prompt.ts'
import { conditionSchema, fitsCondition, isTooLong } from './condition.ts'
import {
  type AskedSubscription,
  type FrozenPlan,
  type FrozenQuery,
  frozenQuerySchema,
  type SubscriptionDraft,
} from './frozen-plan.ts'
import { atDueTime, fixedDates } from './frozen-sql.ts'
import { conditionInWords, momentInWords, recurrenceInWords } from './in-words.ts'
import { findRowKey } from './row-key.ts'
import { jitterOf, nextDues, recurrenceFrom, scheduleSchema } from './schedule.ts'

const understoodSchema = z.object({
  kind: z.enum(['report', 'alert']),
  question: z.string(),
  schedule: scheduleSchema.nullable(),
  starts: z.iso.date().nullable().default(null),
  until: z.iso.date().nullable().default(null),
  once: z.boolean().default(false),
  time_zone: z.string().nullable().default(null),
  elsewhere: z.string().nullable().default(null),
  condition: conditionSchema.nullable().default(null),
  only_new_data: z.boolean().default(false),
  clarification: clarificationSchema.default(null),
})
type Understood = z.infer<typeof understoodSchema>

/** Told of a subscription whose owner changes it. */
const CHANGES = 'That is set up already. The message changes it: return all of it, and change only what the message says.'

/**
 * Sets up what recurs: understands the words, answers the question once, freezes its SQL, and has all of it confirmed.
 * @param answer answers the question that is to recur, as the ordinary run does
 * @returns what to say to the person
 * @throws InterruptError, ModelError, WarehouseError
 */
export async function makeSubscription(
  context: RunContext,
  schema: Schema,
  asked: AskedSubscription,
  answer: (context: RunContext, question: string) => Promise<Pick<Answer, 'markdown' | 'queries'>>,
  signal: AbortSignal,
): Promise<string> {
  const { subscribe, request, language } = context
  const { draft: revised } = asked
  const words = subscriptionWords(language)
  if (subscribe === undefined) return words.onlyInChats
  const understood = await understand(context, asked, signal)
  const { kind, question, schedule, starts, until, once, condition, clarification, elsewhere } = understood
  if (clarification !== null || schedule === null || (kind === 'alert' && condition === null))
    // A choice that is taken changes the same subscription.
    throw askedBack(clarification ?? { question: words.neverDue, choices: [] }, revised && `${request.question}; `)
  const named = understood.time_zone ?? ''
  const zone = isTimeZone(named) ? named : (revised?.recurrence.zone ?? request.time_zone)
  const now = Date.parse(request.asked_at)
  const recurrence = recurrenceFrom(schedule, zone, now, starts, until)
  if (recurrence === undefined) return words.neverDue
  // A report that comes once is over with its first day.
  if (once && condition === null) recurrence.until = recurrence.from
  const { markdown, queries } = await answer({ ...context, request: { ...request, recurs: true } }, question)
  const plan = await freeze(context, schema, understood, queries, signal)
  if (typeof plan === 'string') return [markdown, plan].filter(text => text !== '').join('\n\n')
  // A resumed run gives the same id.
  const id = revised?.id ?? request.run_id.replace(/^run_(.{12}).*/, 'sub_$1')
  const draft = { id, kind, recurrence, condition, once, plan }
  const confirmation = [
    // The queries of the sample are not part of the confirmation, so nothing can cite them.
    markdown.replace(/ ?\[Q\d+(?:, ?Q\d+)*\]/g, ''),
    '---',
    ...describe(draft, now, language),
    words.here(elsewhere, revised !== undefined),
    costOf(context, draft, now),
    revised === undefined ? words.confirm : words.confirmChange(draft.id),
  ].join('\n\n')
  const choices = [
    { value: 'set_up', label: words.setUp },
    { value: 'leave', label: words.leave },
  ]
  const interrupt = { kind: 'need_confirm', question: confirmation, choices } as const
  const choice = await askPerson(context, { step: 'confirm_subscription', attempt: 1 }, { draft }, interrupt, signal)
  if (choice !== 'set_up') return words.isLeft
  const next = await subscribe.keep(draft, language, signal)
  if (next === undefined) return words.tooMany(AGENT_LIMITS.subscribe.mostOfOne)
  return words.isSetUp(draft.id, momentInWords(next, zone, language))
}

/** Turns the person's words into a schedule, a question and a condition. */
function understand(context: ModelContext & QuestionContext, asked: AskedSubscription, signal: AbortSignal) {
  const { words: question, draft: revised } = asked
  const { request } = context
  const before =
    revised === undefined ? '' : `${fenceData('subscription', JSON.stringify(asUnderstood(revised)))}\n\n${CHANGES}\n\n`
  return askForJson(
    context,
    {
      step: 'subscribe',
      subject: question,
      input: { question, ...(revised && { revised }) },
      values: {
        least_minutes: `${AGENT_LIMITS.subscribe.leastMinutes}`,
        now: describeNow(request),
        conversation: conversationPrompt(request.conversation),
        question: `${before}${questionPrompt(question)}`,
      },
      output: { schema: understoodSchema },
    },
    signal,
  )
}

/** Writes a subscription in the form in which it was understood. */
function asUnderstood({ id: _, recurrence, plan: { question, gate }, ...draft }: SubscriptionDraft): Understood {
  const { schedule, zone: time_zone, from: starts, until = null } = recurrence
  const never = { elsewhere: null, clarification: null }
  return { ...draft, question, schedule, starts, until, time_zone, only_new_data: gate !== null, ...never }
}

/**
 * Freezes the queries of an answer. Returns a sentence if they cannot be asked again as they are.
 * @throws WarehouseError
 */
async function freeze(
  context: RunContext,
  schema: Schema,
  { question, condition, once, only_new_data: onlyNewData }: Understood,
  queries: readonly QueryReport[],
  signal: AbortSignal,
): Promise<FrozenPlan | string> {
  const { language, source, planned, dialect, guard, databases } = context
  const words = subscriptionWords(language)
  const [first] = queries
  if (first === undefined || queries.some(({ error }) => error !== null)) return words.noAnswer
  const frozen = z.array(frozenQuerySchema).safeParse(queries).data
  if (frozen === undefined || planned !== undefined || queries.some(({ node }) => node !== undefined)) return words.severalSources
  const dates = once ? [] : frozen.flatMap(({ sql }) => fixedDates(sql, question, dialect) ?? ['?'])
  if (dates.length > 0) return words.doesNotMove(quoted(dates))
  const keyed: FrozenQuery[] = []
  for (const [at, query] of frozen.entries()) {
    // The guard judges the SQL as a run will put it, so what still reads the clock there would not move.
    const sql = atDueTime(query.sql, Date.parse(context.request.asked_at), dialect)
    const verdict = await guard.check(sql, scopeOfSchema(schema, databases), signal)
    if (verdict.verdict === 'reject') return verdict.message
    if (verdict.clocks !== undefined && verdict.clocks.length > 0) return words.readsClock(quoted(verdict.clocks))
    const inputs = verdict.inputs ?? (await inputsInClickHouse(context, sql, signal))
    const key = inputs && findRowKey(queries[at] ?? first, inputs, schema)
    keyed.push({ ...query, ...(key && { key }) })
  }
  if (condition !== null && !fitsCondition(condition, first)) return words.noFigure
  if (condition !== null && isTooLong(condition, first)) return words.tooManyRows(AGENT_LIMITS.subscribe.watchedRows)
  const gate = !onlyNewData ? null : SOURCE_KINDS[dialect].tellsNewData ? gateOf(schema, queries) : undefined
  if (gate === undefined) return words.noGate
  return { question, queries: keyed, gate, source: source?.id ?? null }
}

/** Returns the input columns of each column of a query's result. Undefined if they cannot be told. */
async function inputsInClickHouse({ warehouse, databases }: RunContext, sql: string, signal: AbortSignal) {
  const query = { sql, database: databases[0] ?? 'default' }
  const fields = await readGatheredColumns(warehouse, query, signal).catch((error: unknown) => {
    if (signal.aborted) throw error
    return undefined
  })
  return fields?.map(({ inputs }) => inputs)
}

function quoted(texts: readonly string[]): string {
  return [...new Set(texts)].map(text => `\`${text}\``).join(', ')
}

/**
 * Writes the work gate: the latest times in the tables that the queries read.
 * @returns undefined if no table has a column of time in its keys
 */
function gateOf({ tables }: Schema, queries: readonly QueryReport[]): string | undefined {
  const read = new Set(queries.flatMap(query => query.tables ?? []))
  const latest = tables
    .filter(({ database, name }) => read.has(`${database}.${name}`))
    .flatMap(table => {
      const keys: readonly string[] = `${table.sortingKey} ${table.partitionKey}`.match(/[\p{L}\p{N}_]+/gu) ?? []
      const time = table.columns.find(
        ({ name, type, isPrivate }) => isPrivate !== true && readColumnType(type).kind === 'time' && keys.includes(name),
      )
      return time === undefined ? [] : [`(SELECT max(${quoteIdentifier(time.name)}) FROM ${quoteTable(table)})`]
    })
  return latest.length === 0 ? undefined : `SELECT ${latest.map((each, at) => `${each} AS t${at + 1}`).join(', ')}`
}

/** Writes what is to be confirmed: schedule, question, SQL and condition. */
function describe({ id, kind, recurrence, condition, once, plan }: SubscriptionDraft, now: number, language: Language) {
  const words = subscriptionWords(language)
  const dues = nextDues(recurrence, now, AGENT_LIMITS.subscribe.shownTimes)
  return [
    words.when(words[kind], recurrenceInWords(recurrence, language)),
    words.next(dues.map(due => momentInWords(due, recurrence.zone, language))),
    words.jitter(Math.round(jitterOf({ id, recurrence }) / 1000)),
    words.asked(plan.question),
    ...plan.queries.map(({ sql }) => codeBlock('sql', sql)),
    words.told(condition && conditionInWords(condition, language)),
    ...(once ? [words.once] : []),
    ...(plan.gate === null ? [] : [words.newData, codeBlock('sql', plan.gate)]),
  ]
}

/** Writes what a run costs, and a month of runs: the words of a report. An alert asks no model. */
function costOf({ log, language }: RunContext, { kind, recurrence }: SubscriptionDraft, now: number): string {
  const words = subscriptionWords(language)
  const most = (30 * DAY_MS) / (AGENT_LIMITS.subscribe.leastMinutes * MINUTE_MS)
  const runs = nextDues(recurrence, now, most).filter(due => due <= now + 30 * DAY_MS).length
  const written = stepReports(log.entries()).filter(({ step }) => step === 'synthesize' || step === 'rewrite')
  const { tokens, cost } = spentOn(written)
  const inWords = (times: number) => (cost === null ? words.tokens(tokens * times) : words.dollars(cost * times))
  return kind === 'alert' ? words.cost(words.noTokens, runs, words.noTokens) : words.cost(inWords(1), runs, inWords(runs))
}
