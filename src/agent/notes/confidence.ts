import { edgesSentence } from '../../warehouse/data-edges.ts'
import { type AnswerWords, answerWords } from '../../words/answer.ts'
import type { Language } from '../../words/language.ts'
import { isEmptyResult } from '../query/empty-result.ts'
import { replacedColumns } from '../query/replaced-columns.ts'
import { type CitationReport, type ConfidenceLevel, combinedWhole, type QueryReport } from '../run/result.ts'
import { causeOf } from '../write/failure-answer.ts'
import { isAlreadySaid, isRestated, mentionsValue } from './already-said.ts'
import { decidingAssumptions } from './deciding-assumptions.ts'
import { joinNotes } from './joins.ts'
import { codeSpan, lookedForInVain, type MissingInColumn, missingValues } from './missing-values.ts'
import { shortRemark } from './short-remark.ts'
import { fitting, linesOf } from './small-print.ts'

export interface Confidence {
  readonly confidence: ConfidenceLevel | null
  readonly confidence_reason: string | null
}

export interface Doubt {
  readonly level: 'LOW' | 'MEDIUM'
  /** One or more sentences in Markdown, for the reader of the answer. */
  readonly text: string
  /** Bold words before the text. */
  readonly label?: string
  /**
   * Whether the text is not shown below the answer, because the answer already says the same, or because it does not help the
   * reader.
   */
  readonly isSilent?: boolean
  /** Whether the text is shown above the answer, because it says that a part of the answer is missing. */
  readonly isLead?: boolean
}

export interface DoubtfulAnswer {
  /** The question as the person wrote it, and as the classify step understood it. */
  readonly asked: string
  /** The answer as the model wrote it, without the program's additions. */
  readonly markdown: string
  readonly queries: readonly QueryReport[]
  /** The data questions that were not answered, because there were too many. */
  readonly leftOut: readonly string[]
  readonly citations: CitationReport | null
  /** Whether the results of several sources stand side by side, because they could not be combined. */
  readonly isSideBySide?: boolean
  /** Unix time in milliseconds. */
  readonly now: number
}

interface JudgedAnswer extends DoubtfulAnswer {
  readonly language: Language
  readonly ran: readonly QueryReport[]
  /** The deciding assumptions that the answer does not tell. */
  readonly unsaid: readonly string[]
}

type Rule = (answer: JudgedAnswer, words: AnswerWords) => readonly Doubt[]

/** The rules, most serious first. docs/confidence.md describes them. */
const RULES: readonly Rule[] = [
  ({ queries, language }, words) => {
    const failed = queries.filter(query => query.error !== null)
    if (failed.length === 0) return []
    const parts = failed.map(query => ({
      question: clause(query.question),
      cause: query.source !== undefined && isAway(query) ? words.sourceAway : causeOf([query], language),
      source: query.source,
    }))
    return [{ level: 'LOW', text: words.notAnswered(parts), isSilent: failed.length === queries.length, isLead: true }]
  },
  ({ ran, language }) =>
    joinNotes(ran, language).flatMap(({ text, isDoubtful }) => (isDoubtful ? [{ level: 'MEDIUM', text }] : [])),
  ({ isSideBySide }, words) => (isSideBySide === true ? [{ level: 'MEDIUM', text: words.notCombined }] : []),
  ({ leftOut, ran }, words) =>
    leftOut.length === 0 ? [] : [{ level: 'MEDIUM', text: words.notLookedUp(leftOut.map(clause)), isLead: ran.length > 0 }],
  ({ ran }, words) =>
    ran.flatMap(({ review }) =>
      review?.verdict === 'suspicious' ? [{ level: 'LOW', text: words.looksWrong(review.reason) }] : [],
    ),
  // The text of this doubt is not shown, because each unsupported statement is marked in the answer.
  ({ citations }, words) => {
    const count = citations?.unsupported.length ?? 0
    return count === 0 ? [] : [{ level: 'LOW', text: words.unverified(count), isSilent: true }]
  },
  ({ citations }, words) => (citations?.unread === true ? [{ level: 'MEDIUM', text: words.unread }] : []),
  ({ ran, queries }, words) =>
    ran
      .filter(query => query.truncated && combinedWhole(query, ran) === undefined)
      .map(query => ({
        level: 'MEDIUM',
        text: words.cut(query.row_count, query.total_rows ?? null, queries.length === 1 ? null : clause(query.question)),
      })),
  ({ ran, markdown, asked }, words) =>
    ran.flatMap(query => {
      const missing = missingValues(query, asked)
      return missing.map(({ name, column, near }) => ({
        level: 'MEDIUM',
        text: words.notThere(codeSpan(name), codeSpan(column), near.map(codeSpan)),
        isSilent: near.length === 0 ? mentionsValue(name, markdown) : isAnyNamed(near, markdown),
      }))
    }),
  ({ ran, asked }, words) =>
    ran.some(query => isUnjudged(query) && missingValues(query, asked).length === 0)
      ? [{ level: 'MEDIUM', text: words.notJudged }]
      : [],
  // An earlier query searched for something that does not exist. The final query no longer shows this mistake, so this doubt
  // mentions it.
  ({ ran, markdown, unsaid }) =>
    ran.flatMap(query => {
      const reason = query.failed_attempts.findLast(attempt => attempt.kind === 'empty')?.found_wrong
      if (reason === undefined) return []
      const slips = lookedForInVain(query)
      const isSaid = slips.length > 0 && slips.every(slip => [markdown, ...unsaid].some(text => isToldIn(text, slip)))
      return [{ level: 'MEDIUM', text: reason, isSilent: isSaid }]
    }),
  ({ ran, markdown, asked }, words) =>
    ran
      .flatMap(query => replacedColumns(query.failed_attempts, query.sql ?? '', `${asked}\n${query.question}`))
      .map(({ column, taken }) => words.replaced(codeSpan(column), taken.map(codeSpan)))
      .map(text => ({ level: 'MEDIUM', text, isSilent: isAlreadySaid(text, markdown) })),
  ({ ran }, words) =>
    ran.flatMap(({ doubt }) =>
      doubt === undefined
        ? []
        : [{ level: 'MEDIUM', text: words.multiplied(codeSpan(doubt.table), codeSpan(doubt.by), codeSpan(doubt.column)) }],
    ),
  ({ ran, markdown, now, language }) =>
    ran.flatMap(({ edges, tables }) => {
      if (edges === undefined) return []
      const table = tables?.length === 1 ? null : codeSpan(edges.table)
      const text = edgesSentence(edges, { now, table }, language)
      return [{ level: 'MEDIUM', text, isSilent: isAlreadySaid(text, markdown) }]
    }),
  // The deciding assumptions of a narrowed query say what it leaves out. If it has none, this doubt says that only a part was
  // read.
  ({ ran, unsaid }, words) =>
    ran
      .filter(query => query.narrowed !== null && !query.deciding_assumptions.some(assumption => unsaid.includes(assumption)))
      .map(({ deciding_assumptions: said, sql }) => ({
        level: 'MEDIUM',
        text: words.partRead(shortRemark((sql ?? '').replaceAll('`', ''))),
        isSilent: said.length > 0,
      })),
  ({ unsaid: [first, ...others], markdown }, words) => {
    if (first === undefined) return []
    const room = linesOf(markdown) - linesOf(first) - 1
    return [{ level: 'MEDIUM', label: words.assumed, text: [first, ...fitting(others, room)].join(' ') }]
  },
  ({ ran, citations, markdown }, words) => {
    if (ran.length === 0 || (citations !== null && citations.checked > 0)) return []
    // "All is well. [Q1]" says where it comes from, but not what could be checked.
    const isCited = citations !== null && /\[[QE]\d/.test(markdown)
    return [{ level: 'MEDIUM', text: isCited ? words.notComparable : words.notCompared, isSilent: citations === null || isCited }]
  },
  ({ ran }, words) => (ran.some(query => query.unchecked !== null) ? [{ level: 'MEDIUM', text: words.notChecked }] : []),
]

/** Returns the doubts about an answer from queries. They are computed from the run, without a model. */
export function doubtsAbout(answer: DoubtfulAnswer, language: Language): readonly Doubt[] {
  const ran = answer.queries.filter(query => query.error === null)
  // The current year is added to the question, so that an assumption that only names the current year is not shown.
  const said = { asked: `${answer.asked} ${new Date(answer.now).getUTCFullYear()}`, markdown: answer.markdown }
  const slips = ran.flatMap(lookedForInVain).filter(slip => isToldIn(answer.markdown, slip))
  const unsaid = decidingAssumptions(ran).filter(
    assumption => !isRestated(assumption, said) && !slips.some(slip => isToldIn(assumption, slip)),
  )
  const doubts = RULES.flatMap(rule => rule({ ...answer, language, ran, unsaid }, answerWords(language)))
  return [...new Map(doubts.map(doubt => [doubt.text, doubt])).values()]
}

/** Returns the line above an answer that is only a part of the whole. Empty for a whole one. */
export function leadOf(doubts: readonly Doubt[], language: Language): string {
  const missing = doubts.filter(doubt => doubt.isLead === true && doubt.isSilent !== true).map(({ text }) => text)
  return missing.length === 0 ? '' : `**${answerWords(language).partlyAnswered}** ${missing.join(' ')}`
}

/** Returns the lowest level among the doubts, and the reasons for that level. Both are null if the answer uses no query. */
export function confidenceOf(queries: readonly QueryReport[], doubts: readonly Doubt[]): Confidence {
  if (queries.length === 0) return { confidence: null, confidence_reason: null }
  for (const level of ['LOW', 'MEDIUM'] as const) {
    const reasons = doubts.filter(doubt => doubt.level === level)
    if (reasons.length > 0) return { confidence: level, confidence_reason: reasons.map(({ text }) => text).join(' ') }
  }
  return { confidence: 'HIGH', confidence_reason: null }
}

/** Whether a text contains a wrong name, and also one of the similar names that may have been meant. */
function isToldIn(text: string, { name, near }: Pick<MissingInColumn, 'name' | 'near'>): boolean {
  return mentionsValue(name.toLowerCase(), text.toLowerCase()) && isAnyNamed(near, text)
}

function isAnyNamed(values: readonly string[], text: string): boolean {
  return values.some(value => mentionsValue(value, text))
}

/** Whether nobody judged an empty result. A combined one rests on results that were judged. */
function isUnjudged(query: QueryReport): boolean {
  return isEmptyResult(query) && query.review === null && query.combined === undefined
}

function isAway({ failed_attempts: failed }: QueryReport): boolean {
  return failed.at(-1)?.kind === 'unavailable'
}

/** Writes a data question so that it fits into a sentence. */
function clause(question: string): string {
  return shortRemark(question).replace(/\.$/, '')
}
