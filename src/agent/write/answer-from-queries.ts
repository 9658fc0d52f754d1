import { errorMessage } from '../../base/errors.ts'
import type { Chart } from '../../charts/chart.ts'
import { definitionsNote, definitionsUsed } from '../../domain/definitions-used.ts'
import { ModelError } from '../../llm/error.ts'
import type { Schema } from '../../warehouse/schema.ts'
import type { Language } from '../../words/language.ts'
import type { Answer } from '../answer.ts'
import { buildChart } from '../chart/build-chart.ts'
import type { ChartZones } from '../chart/times.ts'
import { calendarZoneNote } from '../notes/calendar-zone.ts'
import { type DoubtfulAnswer, doubtsAbout, leadOf } from '../notes/confidence.ts'
import { dataAgeNote, dataUntil } from '../notes/data-age.ts'
import { joinNotes } from '../notes/joins.ts'
import { fitting, linesOf } from '../notes/small-print.ts'
import type { QuestionContext, ReadContext } from '../run/context.ts'
import { RunError } from '../run/error.ts'
import type { QueryReport } from '../run/result.ts'
import { answerWithoutWords } from './answer-without-words.ts'
import { failureAnswer } from './failure-answer.ts'
import type { WrittenAnswer } from './synthesize.ts'
import { led } from './with-lead.ts'

export interface AnsweredDataQuestions {
  /** The person's question, rewritten to stand on its own. */
  readonly question: string
  readonly answered: readonly QueryReport[]
  /** The data questions that were not answered, because there were too many. */
  readonly leftOut: readonly string[]
  /** Whether the results of several sources stand side by side, because they could not be combined. */
  readonly isSideBySide?: boolean
  /**
   * Writes the answer from the queries. While it grows, it is shown below the lead.
   * @throws ModelError
   */
  readonly write: (queries: readonly QueryReport[], lead: string) => Promise<WrittenAnswer>
}

export type AnswerFromQueries = Pick<Answer, 'markdown' | 'queries' | 'chart' | 'citations' | 'figures' | 'doubts' | 'note'>

/** Puts the results into words, and adds notes. If all queries failed, writes what was tried. */
export async function answerFromQueries(
  context: QuestionContext & ReadContext,
  schema: Schema,
  { question, answered, leftOut, isSideBySide = false, write }: AnsweredDataQuestions,
  signal: AbortSignal,
): Promise<AnswerFromQueries> {
  const { language } = context
  const asked = `${context.request.question}\n${question}`
  const now = Date.parse(context.request.asked_at)
  if (answered.every(query => query.error !== null)) {
    const text = { markdown: failureAnswer(answered, schema, language), citations: null }
    return { ...withNote({ ...text, asked, queries: answered, leftOut, now }, language), chart: null, figures: [] }
  }
  const missing = doubtsAbout({ asked, markdown: '', queries: answered, leftOut, citations: null, now }, language)
  const [text, queries] = await Promise.all([
    inWordsIfPossible(context, write(answered, leadOf(missing, language)), answered, signal),
    Promise.all(answered.map(query => withDefinitions(context, schema, query, signal))),
  ])
  const definitions = definitionsNote(queries, language)
  const joins = joinNotes(queries, language).flatMap(({ text: told, isDoubtful }) => (isDoubtful ? [] : [told]))
  const zone = [...joins, calendarZoneNote(queries, schema, `${text.markdown} ${definitions}`, language)].join(' ').trim()
  const basis = `${definitions} ${dataAgeNote(queries, context.now(), language)}`.trim()
  const chart = chartOfAnswer(text.markdown, queries, { server: schema.timeZone, asker: context.request.time_zone }, language)
  return {
    ...withNote({ ...text, asked, queries, leftOut, isSideBySide, now }, language, { zone, basis }),
    chart,
    figures: text.figures,
  }
}

/**
 * Says above the answer if a part of it is missing. Adds below it the other doubts that matter to the person, and the time zone.
 * Other notes are added only if the answer is long enough.
 */
function withNote(
  answer: DoubtfulAnswer,
  language: Language,
  { zone, basis } = { zone: '', basis: '' },
): Omit<AnswerFromQueries, 'chart' | 'figures'> {
  const { markdown, queries, citations } = answer
  const doubts = doubtsAbout(answer, language)
  const told = doubts.filter(doubt => doubt.isSilent !== true)
  const room = linesOf(markdown) - 1 - linesOf([...told.map(({ text }) => text), zone].join(' '))
  const rest = [zone, ...(told.length === 0 ? [basis] : fitting([basis], room))].filter(text => text !== '')
  const note = [...told.map(({ text }) => text), ...rest].join(' ').trim()
  const shown = told
    .filter(({ isLead }) => isLead !== true)
    .map(({ label, text }) => (label === undefined ? text : `**${label}** ${text}`))
  const below = [...shown, ...rest].join(' ').trim()
  const whole = led(leadOf(doubts, language), markdown)
  return { markdown: below === '' ? whole : `${whole}\n\n${below}`, queries, citations, doubts, note }
}

/** Puts the results into words. If the model fails in this last step, or the run has no time left, returns them as plain tables. */
async function inWordsIfPossible(
  context: QuestionContext & ReadContext,
  writing: Promise<WrittenAnswer>,
  queries: readonly QueryReport[],
  signal: AbortSignal,
): Promise<Pick<AnswerFromQueries, 'markdown' | 'citations' | 'figures'>> {
  try {
    return await writing
  } catch (error) {
    const isFailed = !signal.aborted && error instanceof ModelError && error.kind !== 'no_recording'
    if (!isFailed && !RunError.isTimeout(signal.reason)) throw error
    const reason = errorMessage(isFailed ? error : signal.reason)
    context.logger.error({ error: reason, run: context.log.runId }, 'results could not be put into words')
    return { markdown: answerWithoutWords(queries, context.language), citations: null, figures: [] }
  }
}

/** Returns the chart of the first cited query for which a chart can be built. */
function chartOfAnswer(markdown: string, queries: readonly QueryReport[], zones: ChartZones, language: Language): Chart | null {
  const cited = [...markdown.matchAll(/\[(Q\d+(?:\s*,\s*Q\d+)*)\]/g)].flatMap(([, ids = '']) =>
    ids.split(',').map(id => id.trim()),
  )
  for (const id of new Set(cited)) {
    const query = queries.find(candidate => candidate.id === id)
    const chart = query && buildChart(query, zones, language)
    if (chart) return chart
  }
  return null
}

/**
 * Adds to a query the definitions that it uses, and to a verified query also the age of its data. This runs while the model
 * writes the answer.
 */
async function withDefinitions(
  context: QuestionContext & ReadContext,
  schema: Schema,
  query: QueryReport,
  signal: AbortSignal,
): Promise<QueryReport> {
  const { question, sql, id, tables } = query
  // The operator's definitions are written for the default source.
  const isOfOther =
    query.combined !== undefined || (query.source !== undefined && tables?.some(table => table.includes('/')) === true)
  if (query.error !== null || sql === null || isOfOther) return query
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
