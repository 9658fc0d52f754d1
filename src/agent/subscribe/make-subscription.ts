import { createHash } from 'node:crypto'
import { z } from 'zod'
import { DAY_MS } from '../../base/durations.ts'
import { codeBlock } from '../../base/text/code-block.ts'
import { isTimeZone } from '../../base/time-zone.ts'
import { fenceData } from '../../llm/data-fence.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { readColumnType } from '../../warehouse/sql/column-type.ts'
import { quoteIdentifier, quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import { subscriptionWords } from '../../words/subscription.ts'
import { askPerson } from '../ask-back/ask-person.ts'
import { clarificationInterrupt } from '../ask-back/clarification.ts'
import { InterruptError } from '../ask-back/interrupt.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext, RunContext } from '../run/context.ts'
import type { QueryReport } from '../run/result.ts'
import { stepReports } from '../run/step-reports.ts'
import { describeNow } from '../run/time-context.ts'
import { conversationPrompt } from '../understand/conversation-prompt.ts'
import { questionPrompt } from '../understand/question-prompt.ts'
import { conditionSchema, fitsCondition } from './condition.ts'
import type { FrozenPlan, Subscribe, SubscriptionDraft } from './frozen-plan.ts'
import { fixedDates } from './frozen-sql.ts'
import { conditionInWords, momentInWords, recurrenceInWords } from './in-words.ts'
import { jitterOf, nextDues, recurrenceFrom, scheduleSchema } from './schedule.ts'
import { spentOn } from './spent.ts'

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
  clarification: z
    .object({ question: z.string(), choices: z.array(z.string()) })
    .nullable()
    .default(null),
})
type Understood = z.infer<typeof understoodSchema>

/** Told of a subscription whose owner changes it. */
const CHANGES = 'That is set up already. The message changes it: return all of it, and change only what the message says.'

/** An answer to the question that is to recur, as the ordinary run gives it. */
export interface SampleAnswer {
  readonly markdown: string
  readonly queries: readonly QueryReport[]
}

type Answers = (context: RunContext, question: string, signal: AbortSignal) => Promise<SampleAnswer>

/**
 * Sets up what recurs: understands the words, answers the question once, freezes its SQL, and has all of it confirmed.
 * @param asked.revised the subscription that the words change, if they make no new one
 * @param answer answers the question as any other
 * @returns what to say to the person
 * @throws InterruptError, ModelError, WarehouseError
 */
export async function makeSubscription(
  context: RunContext,
  schema: Schema,
  asked: { readonly question: string; readonly revised?: SubscriptionDraft | undefined },
  answer: Answers,
  signal: AbortSignal,
): Promise<string> {
  const { subscribe, request, language } = context
  const words = subscriptionWords(language)
  if (subscribe === undefined) return words.onlyInChats
  const { revised } = asked
  const understood = await understand(context, asked, signal)
  const { schedule, clarification, elsewhere } = understood
  if (clarification !== null || schedule === null || (understood.kind === 'alert' && understood.condition === null))
    throw askBack(context, clarification ?? { question: words.neverDue, choices: [] }, revised)
  const named = understood.time_zone ?? ''
  const now = Date.parse(request.asked_at)
  const recurrence = recurrenceFrom(
    schedule,
    isTimeZone(named) ? named : (revised?.recurrence.zone ?? request.time_zone),
    now,
    understood.starts ?? undefined,
    understood.until ?? undefined,
  )
  if (recurrence === undefined) return words.neverDue
  // A report that comes once is over with its first day.
  if (understood.once && understood.condition === null) recurrence.until = recurrence.from
  const recurring = { ...context, request: { ...request, recurs: true } }
  const sample = await answer(recurring, understood.question, signal)
  const plan = freeze(context, schema, understood, sample)
  if (typeof plan === 'string') return [sample.markdown, plan].filter(text => text !== '').join('\n\n')
  const { kind, condition, once } = understood
  const id = revised?.id ?? subscriptionIdOf(request.run_id)
  const draft: SubscriptionDraft = { id, kind, recurrence, condition, once, plan }
  return confirm(context, draft, sample, { subscribe, now, elsewhere, isRevised: revised !== undefined }, signal)
}

/** The id of the subscription that a run sets up. A resumed run gives the same id. */
function subscriptionIdOf(runId: string): string {
  return `sub_${createHash('sha256').update(runId).digest('hex').slice(0, 12)}`
}

/** Asks what is unclear. A choice that is taken revises the same subscription. */
function askBack({ request }: RunContext, unclear: NonNullable<Understood['clarification']>, revised?: SubscriptionDraft) {
  const { choices, ...interrupt } = clarificationInterrupt(unclear)
  const command = revised === undefined ? '' : `${request.question}; `
  return new InterruptError({ ...interrupt, choices: choices.map(({ label }) => ({ value: `${command}${label}`, label })) }, [])
}

/** Turns the person's words into a schedule, a question and a condition. */
function understand(
  context: ModelContext & QuestionContext,
  { question, revised }: Parameters<typeof makeSubscription>[2],
  signal: AbortSignal,
): Promise<Understood> {
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

/** Freezes the queries of an answer. Returns a sentence if they cannot be asked again as they are. */
function freeze(
  { language, source, planned, dialect }: RunContext,
  schema: Schema,
  { question, condition, once, only_new_data: onlyNewData }: Understood,
  { queries }: SampleAnswer,
): FrozenPlan | string {
  const words = subscriptionWords(language)
  const [first] = queries
  if (first === undefined || queries.some(({ error }) => error !== null)) return words.noAnswer
  const frozen = queries.map(({ id, question: asked, sql, explanation, assumptions, deciding_assumptions, chart }) => ({
    ...{ id, question: asked, explanation, assumptions, deciding_assumptions, chart },
    sql: sql ?? '',
  }))
  if (planned !== undefined || queries.some(({ sql, node }) => sql === null || node !== undefined)) return words.severalSources
  const dates = once ? [] : frozen.map(({ sql }) => fixedDates(sql, question))
  if (dates.some(found => found === undefined || found.length > 0)) {
    const named = [...new Set(dates.flatMap(found => found ?? ['?']))]
    return words.doesNotMove(named.map(date => `\`${date}\``).join(', '))
  }
  if (condition !== null && !fitsCondition(condition, first)) return words.noFigure
  const gate = !onlyNewData ? null : dialect === 'clickhouse' ? gateOf(schema, queries) : undefined
  if (gate === undefined) return words.noGate
  return { question, queries: frozen, gate, source: source?.id ?? null }
}

/**
 * Writes the work gate: the latest times in the tables that the queries read.
 * @returns undefined if a table has no column of time in its keys
 */
function gateOf({ tables }: Schema, queries: readonly QueryReport[]): string | undefined {
  const read = new Set(queries.flatMap(query => query.tables ?? []))
  const latest = tables
    .filter(({ database, name }) => read.has(`${database}.${name}`))
    .flatMap(table => {
      const keys = `${table.sortingKey} ${table.partitionKey}`
      const time = table.columns.find(
        ({ name, type, isPrivate }) => isPrivate !== true && readColumnType(type).kind === 'time' && keys.includes(name),
      )
      return time === undefined ? [] : [`(SELECT max(${quoteIdentifier(time.name)}) FROM ${quoteTable(table)})`]
    })
  return latest.length === 0 ? undefined : `SELECT ${latest.map((each, at) => `${each} AS t${at + 1}`).join(', ')}`
}

/** Shows everything that was understood, and has it confirmed by a button. */
async function confirm(
  context: RunContext,
  draft: SubscriptionDraft,
  sample: SampleAnswer,
  {
    subscribe,
    now,
    elsewhere,
    isRevised,
  }: {
    readonly subscribe: Subscribe
    readonly now: number
    readonly elsewhere: string | null
    readonly isRevised: boolean
  },
  signal: AbortSignal,
): Promise<string> {
  const words = subscriptionWords(context.language)
  const interrupt = {
    kind: 'need_confirm',
    // The queries of the sample are not part of the confirmation, so nothing can cite them.
    question: [
      sample.markdown.replace(/ ?\[Q\d+(?:, ?Q\d+)*\]/g, ''),
      '---',
      ...[describe(context, draft, now), words.here(elsewhere, isRevised), costOf(context, draft, now)],
      isRevised ? words.confirmChange(draft.id) : words.confirm,
    ].join('\n\n'),
    choices: [
      { value: 'set_up', label: words.setUp },
      { value: 'leave', label: words.leave },
    ],
  } as const
  const choice = await askPerson(context, { step: 'confirm_subscription', attempt: 1 }, { draft }, interrupt, signal)
  if (choice !== 'set_up') return words.isLeft
  const { zone } = draft.recurrence
  const kept = await subscribe.keep(draft, signal)
  return kept.isKept ? words.isSetUp(draft.id, momentInWords(kept.next, zone, context.language)) : words.tooMany(kept.most)
}

/** Writes what is to be confirmed: schedule, question, SQL and condition. */
function describe(
  { language }: RunContext,
  { id, kind, recurrence, condition, once, plan }: SubscriptionDraft,
  now: number,
): string {
  const words = subscriptionWords(language)
  const dues = nextDues(recurrence, now, AGENT_LIMITS.subscribe.shownTimes)
  const told = condition === null ? words.toldAlways : words.told(conditionInWords(condition, language))
  return [
    words.when(kind === 'alert' ? words.alert : words.report, recurrenceInWords(recurrence, language)),
    words.next(dues.map(due => momentInWords(due, recurrence.zone, language))),
    words.jitter(Math.round(jitterOf({ id, recurrence }) / 1000)),
    words.asked(plan.question),
    ...plan.queries.map(({ sql }) => codeBlock('sql', sql)),
    told,
    ...(once ? [words.once] : []),
    ...(plan.gate === null ? [] : [words.newData, codeBlock('sql', plan.gate)]),
  ].join('\n\n')
}

/** Writes what a run costs, and a month of runs: the words of a report. An alert asks no model. */
function costOf({ log, language }: RunContext, { kind, recurrence }: SubscriptionDraft, now: number): string {
  const words = subscriptionWords(language)
  const most = (30 * DAY_MS) / (AGENT_LIMITS.subscribe.leastMinutes * 60_000)
  const runs = nextDues(recurrence, now, most).filter(due => due <= now + 30 * DAY_MS).length
  if (kind === 'alert') return words.cost(words.noTokens, runs, words.noTokens)
  const written = stepReports(log.entries()).filter(({ step }) => step === 'synthesize' || step === 'rewrite')
  const { tokens, cost } = spentOn(written)
  const inWords = (times: number) => (cost === null ? words.tokens(tokens * times) : words.dollars(cost * times))
  return words.cost(inWords(1), runs, inWords(runs))
}
