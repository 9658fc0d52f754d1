import { ClewError } from '../base/errors.ts'
import { literalChoices, type VerifiedChoice } from '../domain/verified-choice.ts'
import { cancelledModelError } from '../llm/error.ts'
import type { Schema } from '../warehouse/schema.ts'
import { type Language, languageOf } from '../words/language.ts'
import { type AnswerAhead, answerAhead } from './ahead/answer-ahead.ts'
import { type Speculation, speculate } from './ahead/speculation.ts'
import { type Answer, asked, inWords } from './answer.ts'
import { askedBack } from './ask-back/clarification.ts'
import type { WaitingStep } from './ask-back/interrupt.ts'
import { draftPipeline } from './draft/draft-pipeline.ts'
import { draftReport, type PipelineDraft } from './draft/pipeline-draft.ts'
import { confidenceOf } from './notes/confidence.ts'
import { answerFromSources } from './planning/answer-from-sources.ts'
import { chooseSources, chosenSource, inSource, widerSources } from './planning/choose-sources.ts'
import { combinedSummary, ofSource } from './planning/source-reports.ts'
import { type AnsweredPlan, answerDataQuestions } from './query/answer-data-questions.ts'
import { runVerifiedQuery } from './query/run-verified-query.ts'
import { withOneBusyNotice } from './run/busy-notice.ts'
import type { DataQuestionContext, ModelContext, QuestionContext, RunContext, SourceInPlan } from './run/context.ts'
import { RunError } from './run/error.ts'
import { RunLimit } from './run/limit.ts'
import type { QueryReport, RunResult } from './run/result.ts'
import { withSafeEvents } from './run/safe-events.ts'
import { stepReports } from './run/step-reports.ts'
import { type TaskGroup, withTaskGroup } from './run/task-group.ts'
import { chooseDatasource } from './schema/datasource.ts'
import { focusedNames, focusSchema } from './schema/focus-schema.ts'
import type { AskedSubscription } from './subscribe/frozen-plan.ts'
import { makeSubscription } from './subscribe/make-subscription.ts'
import { inOwnSource, runStanding } from './subscribe/run-standing.ts'
import { answerFromCatalog } from './understand/answer-from-catalog.ts'
import { type Classification, classify, classifyingOf } from './understand/classify.ts'
import { mayNeedData } from './understand/may-need-data.ts'
import { chosenQueries, offeredQueries } from './understand/offered-queries.ts'
import { respond } from './understand/respond.ts'
import { answerFromQueries } from './write/answer-from-queries.ts'
import { withRealCitations } from './write/real-citations.ts'
import { withSafeLinks } from './write/safe-links.ts'
import { synthesize } from './write/synthesize.ts'
import { withLead } from './write/with-lead.ts'

/** The result of a run, and facts that the conversation remembers. */
export interface AnsweredQuestion {
  readonly result: RunResult
  readonly activeTable: string | null
  readonly waiting: readonly WaitingStep[]
  readonly draft: PipelineDraft | null
}

/**
 * Answers one question, in the steps classify → decompose → generate → execute → synthesize. A message that is the text of a
 * verified question needs only execute → synthesize. If it asks a verified question in other words, classify comes first. A
 * resumed run takes its finished steps from its log.
 * @throws RunError if the run takes too long; ModelError or WarehouseError if an essential part fails
 */
export async function answerQuestion(context: RunContext, signal: AbortSignal): Promise<AnsweredQuestion> {
  const limit = new RunLimit(context.runTimeoutMs)
  const bounded = AbortSignal.any([signal, limit.signal])
  try {
    const { askPerson } = context
    const guarded: RunContext = {
      ...context,
      observe: withOneBusyNotice(withSafeEvents(context.observe, context.linkHosts)),
      // The time limit does not count the time in which the person thinks.
      ...(askPerson && { askPerson: (interrupt, own) => limit.standStillFor(askPerson(interrupt, own)) }),
      offTheClock: work => limit.standStillFor(work),
    }
    const { context: own, classification, language, answer } = await answerFor(guarded, bounded)
    return {
      result: resultOf({ ...own, language }, classification, answer),
      activeTable: answer.activeTable,
      waiting: answer.waiting,
      draft: answer.draft,
    }
  } catch (error) {
    if (limit.signal.aborted && !signal.aborted) throw limit.signal.reason
    // If a step would begin after the abort, it rejects with the signal's reason. If that is not a ClewError, it is replaced by
    // one.
    throw signal.aborted && !(error instanceof ClewError) ? cancelledModelError(signal) : error
  } finally {
    limit.close()
  }
}

interface UnderstoodAndAnswered {
  readonly classification: Pick<Classification, 'intent' | 'standalone_question'>
  readonly language: Language
  readonly answer: Answer
}

/** Repeats the run's frozen plan, revises a subscription, or else answers the message. */
async function answerFor(context: RunContext, signal: AbortSignal) {
  const { standing, language, subscribe, request } = context
  const revised = await subscribe?.revised(request.question, signal)
  const known = standing ?? revised?.draft
  if (known === undefined) {
    const { context: own, schema } = await chooseSources(context, signal)
    return { context: own, ...(await withTaskGroup(signal, group => understandAndAnswer(own, schema, group))) }
  }
  const { context: own, schema } = await inOwnSource(context, known.plan.source, signal)
  const words = revised?.words ?? known.plan.question
  const answer = standing
    ? await runStanding(own, schema, standing, signal)
    : await subscriptionAnswer(own, schema, { words, draft: known }, signal).catch(asked)
  const classification = { intent: revised ? 'subscription' : 'data_analysis', standalone_question: words } as const
  return { context: own, classification, language, answer }
}

/**
 * Answers from the verified query that the message asks for. Null if no query fits.
 * @param whenFound called before anything is shown
 */
async function answerFromVerified(
  context: RunContext,
  schema: Schema,
  asked: { readonly question: string; readonly choices: readonly VerifiedChoice[]; readonly whenFound: () => void },
  signal: AbortSignal,
): Promise<Answer | null> {
  const verified = await runVerifiedQuery(context, schema, asked, signal)
  if (verified === null) return null
  const { question } = asked
  const found = { question, answered: [verified], leftOut: [], write: () => synthesize(context, question, [verified], signal) }
  return { ...inWords(''), ...(await answerFromQueries(context, schema, found, signal)) }
}

/**
 * If the message is the text of a verified question, answers it at once. Otherwise starts the work of a data question while the
 * message is still being classified. That work is dropped if the message is not a data question, or asks a verified question in
 * other words.
 */
async function understandAndAnswer(context: RunContext, schema: Schema, group: TaskGroup): Promise<UnderstoodAndAnswered> {
  const { log, request, speculation, observe, domain } = context
  const { turns, summary } = request.conversation
  const literal = literalChoices(request.question, domain().verifiedQueries, turns.length > 0 || summary !== '')
  const message = { question: request.question, language: context.language }
  const whenLiteral = () => observe({ kind: 'question_understood', ...message })
  const told = { question: message.question, choices: literal, whenFound: whenLiteral }
  const verbatim = await answerFromVerified(context, schema, told, group.signal)
  if (verbatim !== null) {
    return {
      classification: { intent: 'data_analysis', standalone_question: message.question },
      language: message.language,
      answer: verbatim,
    }
  }
  // If the message repeats a verified question, its verified query has just failed to answer. So `classify` must not choose a
  // verified query.
  const offered = literal.length === 0 ? offeredQueries(context) : []
  const { key, input } = classifyingOf(request, offered)
  const begin = () => (speculation ? speculate(group, context, schema) : undefined)
  // If a resumed run already knows the kind of message, nothing needs to start ahead of time.
  let ahead = log.isFinished(key, input) || !mayNeedData(request, schema, domain()) ? undefined : begin()
  const classification = await classify(context, schema, offered, group.signal)
  const { intent, standalone_question: question } = classification
  const language = languageOf(classification.language) ?? context.language
  const own = { ...context, language }
  observe({ kind: 'question_understood', question, language })
  const isData = intent === 'data_analysis'
  if (!isData) ahead?.drop(`the message is no data question (${intent})`)
  const choices = isData ? chosenQueries(classification.verified, offered) : []
  const whenFound = () => ahead?.drop('a verified query answers the message')
  const verified = await answerFromVerified(own, schema, { question, choices, whenFound }, group.signal)
  if (verified !== null) return { classification, language, answer: verified }
  if (isData) ahead ??= begin()
  return { classification, language, answer: await answerBy(own, schema, classification, ahead, group.signal).catch(asked) }
}

function answerBy(
  context: RunContext,
  schema: Schema,
  classification: Classification,
  ahead: Speculation | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  switch (classification.intent) {
    case 'data_analysis':
      if (mayReadNothing(context, schema)) return Promise.reject(RunError.noSource())
      return answerFromData(context, schema, classification.standalone_question, ahead, signal)
    case 'catalog':
      return Promise.resolve({ ...inWords(''), ...answerFromCatalog(schema, classification, context.language) })
    case 'pipeline_draft':
      return draftPipeline(context, schema, classification.standalone_question, signal)
    case 'subscription':
      return subscriptionAnswer(context, schema, { words: classification.standalone_question }, signal)
    case 'lineage':
      // No text is needed, because `Analyst.ask` continues the investigation and returns its answer.
      return Promise.resolve(inWords(''))
    case 'conversational':
    case 'out_of_scope':
      return replyDirectly(context, schema, classification, signal)
  }
}

/** Whether the asker's rights show no table of the only source, so that no query could be allowed. */
function mayReadNothing({ request, sources = [] }: RunContext, { tables }: Schema): boolean {
  return request.access !== null && tables.length === 0 && sources.length < 2
}

async function subscriptionAnswer(context: RunContext, schema: Schema, asked: AskedSubscription, signal: AbortSignal) {
  const answer = (own: RunContext, question: string) => answerFromData(own, schema, question, undefined, signal)
  return inWords(await makeSubscription(context, schema, asked, answer, signal))
}

async function answerFromData(
  context: RunContext,
  whole: Schema,
  question: string,
  ahead: Speculation | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  if (context.planned !== undefined) return answerFromPlanned(context, whole, context.planned, question, signal)
  return withTaskGroup(signal, async group => {
    const written = answerAhead(group, context, { question, speculation: context.speculation })
    const { schema, plan, queries: answered } = await planAndAnswer(context, whole, { question, ahead, written }, group.signal)
    if (plan.datasource !== null) {
      const sourced = await chooseDatasource(context, { schema, question }, plan.datasource, group.signal)
      const own = { ...context, schemaSource: sourced.schemaSource }
      const answer = await answerFromData(own, sourced.schema, sourced.question, undefined, group.signal)
      return { question: sourced.question, ...answer }
    }
    if (plan.clarification !== null) throw askedBack(plan.clarification)
    if (answered.length === 0) {
      const wider = plan.error === null ? undefined : await widerSources(context, group.signal)
      if (wider !== undefined) return answerFromData(wider.context, wider.schema, question, undefined, group.signal)
      return inWords(plan.error ?? '')
    }
    const found = { question, answered, leftOut: plan.left_out, write: written.finish }
    return { ...inWords(''), ...(await answerFromQueries(context, schema, found, group.signal)) }
  })
}

/** Answers from several data sources. If the person must say which source is meant, then answers from that one alone. */
async function answerFromPlanned(
  context: RunContext,
  schema: Schema,
  planned: readonly SourceInPlan[],
  question: string,
  signal: AbortSignal,
): Promise<Answer> {
  const { draft, queries, refused } = await answerFromSources(context, planned, question, signal)
  const source = await chosenSource(context, planned, draft.datasource, question, signal)
  if (source !== undefined) {
    const sourced = await inSource(context, source, signal)
    const asked = `${question} (data source: ${source.config.id})`
    const given = { ...sourced.context, isSourceGiven: true }
    const answer = await answerFromData(given, sourced.schema, asked, undefined, signal)
    return { question: asked, ...answer, queries: answer.queries.map(query => ofSource(query, source.config)) }
  }
  const clarification = draft.clarification
  if (clarification !== null && clarification.question.trim() !== '') throw askedBack(clarification)
  if (queries.length === 0) return inWords(draft.error ?? '')
  const write = (answered: readonly QueryReport[], lead: string) =>
    synthesize(
      withLead(context, () => lead),
      question,
      answered,
      signal,
    )
  const found = { question, answered: queries, leftOut: [], isSideBySide: refused !== null, write }
  return { ...inWords(''), ...(await answerFromQueries(context, schema, found, signal)) }
}

interface AskedOfData {
  readonly question: string
  readonly ahead: Speculation | undefined
  readonly written: AnswerAhead
}

/**
 * Plans from the tables in focus. If the plan says that they do not contain the answer, plans once more from the next-best
 * tables.
 */
async function planAndAnswer(
  context: DataQuestionContext,
  whole: Schema,
  { question, ahead, written }: AskedOfData,
  signal: AbortSignal,
): Promise<AnsweredPlan & { readonly schema: Schema }> {
  const asked = { question, onRows: written.begin }
  const schema = await focusSchema(context, whole, { text: question }, signal)
  const answered = await answerDataQuestions(context, { ...asked, schema, ahead }, signal)
  if (answered.plan.error === null || schema.focus === undefined) return { ...answered, schema }
  const wider = await focusSchema(context, whole, { text: question, without: focusedNames(schema) }, signal)
  return { ...(await answerDataQuestions(context, { ...asked, schema: wider, ahead: undefined }, signal)), schema: wider }
}

async function replyDirectly(
  context: ModelContext & QuestionContext,
  schema: Schema,
  { reply }: Classification,
  signal: AbortSignal,
): Promise<Answer> {
  return inWords(reply === null || reply.trim() === '' ? await respond(context, schema, signal) : reply.trim())
}

/**
 * Builds the result. Every text of a run is made safe here before a surface or the history gets it: links to hosts that are not
 * allowed, and citations of unknown queries, become plain text.
 */
function resultOf(context: RunContext, classification: UnderstoodAndAnswered['classification'], answer: Answer): RunResult {
  const { source } = context
  const combined = answer.queries.flatMap(combinedSummary)
  const safe = (text: string) => withSafeLinks(text, context.linkHosts)
  const ids = new Set(answer.queries.map(query => query.id))
  const shown = (text: string) => withRealCitations(safe(text), ids)
  const { confidence, confidence_reason: reason } = confidenceOf(answer.queries, answer.doubts)
  return {
    run_id: context.request.run_id,
    intent: classification.intent,
    standalone_question: answer.question ?? classification.standalone_question,
    language: context.language,
    answer: shown(answer.markdown),
    confidence,
    confidence_reason: reason === null ? null : shown(reason),
    note: shown(answer.note),
    interrupt: answer.interrupt,
    queries: answer.queries.map(query => ({
      ...(source === undefined ? query : ofSource(query, source)),
      question: safe(query.question),
      review: query.review && { ...query.review, reason: safe(query.review.reason) },
      explanation: safe(query.explanation),
      assumptions: query.assumptions.map(safe),
      deciding_assumptions: query.deciding_assumptions.map(safe),
    })),
    ...(answer.gate && { gate: answer.gate }),
    chart: answer.chart,
    citations: answer.citations,
    figures: answer.figures,
    ...(combined.length > 0 && { combined }),
    draft: answer.draft && draftReport(answer.draft),
    steps: stepReports(context.log.entries()),
  }
}
