import type { QueryReport, RunResult } from '../agent/run/result.ts'
import type { EvalCase, ExpectedBehaviour } from './case.ts'
import { type ComparedResult, type Comparison, compareResults, type ResultMiss } from './compare-results.ts'

/** The reason of a case that cannot be judged, because one of its gold queries failed. */
export const GOLD_FAILED = 'gold_failed'

/** The reason why the answer to a case is wrong, or not known to be right. */
export type MissReason = ResultMiss | typeof GOLD_FAILED | 'error' | 'timeout' | 'refused' | 'wrong_routing' | 'wrong_words'

export interface Verdict {
  readonly reason: MissReason | null
  /** Explains why the answer is wrong, or what is unusual about a correct one. May be empty. */
  readonly detail: string
  /**
   * The id of the query that the verdict is about: the one with the correct or nearest result, or else the first of the run. Null
   * if there is none.
   */
  readonly query: string | null
}

export type RunOutcome =
  | { readonly kind: 'answered'; readonly result: RunResult }
  | { readonly kind: 'failed'; readonly error: string; readonly isTimeout: boolean }

const GUARDED: ReadonlySet<string> = new Set(['guard', 'denied'])
/**
 * Kinds of wrong results, from nearly correct to entirely wrong. If a run has several, the report shows the nearly correct one.
 */
const NEARNESS: readonly ResultMiss[] = ['wrong_column', 'extra_rows', 'missing_rows', 'wrong_rows', 'empty']

/**
 * Judges whether a run answered its case correctly.
 * @param gold all results of the gold queries; a gold query that ran several times has several results
 */
export function judgeRun(evalCase: EvalCase, outcome: RunOutcome, gold: readonly ComparedResult[]): Verdict {
  if (outcome.kind === 'failed') return { reason: outcome.isTimeout ? 'timeout' : 'error', detail: outcome.error, query: null }
  const { result } = outcome
  const behaviour = evalCase.expect === undefined ? undefined : judgeBehaviour(evalCase.expect, result)
  if (evalCase.gold_sql === undefined) return behaviour ?? right(null, '')
  const data = judgeResults(result, gold, evalCase.ordered)
  return data.reason === null && behaviour !== undefined && behaviour.reason !== null ? behaviour : data
}

function judgeResults(result: RunResult, gold: readonly ComparedResult[], ordered: boolean): Verdict {
  const ran = result.queries.filter(query => query.error === null && query.columns.length > 0)
  if (ran.length === 0) return withoutResult(result)
  const compared = ran.flatMap(query => gold.map(each => ({ query: query.id, comparison: compareResults(query, each, ordered) })))
  for (const { query, comparison } of compared) {
    if (!comparison.isEqual) continue
    const { extraColumns } = comparison
    return right(query, extraColumns.length > 0 ? `further columns: ${extraColumns.join(', ')}` : '')
  }
  const misses = compared.flatMap(({ query, comparison }) => missOf(query, comparison))
  const [nearest] = misses.sort((a, b) => NEARNESS.indexOf(a.reason) - NEARNESS.indexOf(b.reason))
  return nearest ?? { reason: 'error', detail: 'the case has no gold result', query: null }
}

function missOf(query: string, comparison: Comparison): { reason: ResultMiss; detail: string; query: string }[] {
  return comparison.isEqual ? [] : [{ reason: comparison.miss, detail: comparison.detail, query }]
}

function withoutResult({ intent, interrupt, queries }: RunResult): Verdict {
  const wrong = (reason: MissReason, detail: string): Verdict => ({ reason, detail, query: queries[0]?.id ?? null })
  if (intent === 'out_of_scope') return wrong('refused', 'taken for out of scope')
  if (interrupt !== null) return wrong('wrong_routing', `asked back: ${interrupt.question}`)
  if (queries.length === 0) return wrong('wrong_routing', `taken for ${intent}, and no query was written`)
  const last = queries.flatMap(({ failed_attempts }) => failed_attempts.slice(-1))
  const error = queries.map(query => query.error ?? '').find(text => text !== '') ?? 'no query was written'
  if (last.some(({ kind }) => kind === 'timeout')) return wrong('timeout', error)
  return wrong(last.some(({ kind }) => GUARDED.has(kind)) ? 'refused' : 'error', error)
}

function judgeBehaviour(expected: ExpectedBehaviour, result: RunResult): Verdict {
  const query = result.queries[0]?.id ?? null
  const intents = [expected.intent].flat()
  const taken = result.interrupt === null ? result.intent : 'clarification'
  if (!intents.includes(taken)) {
    return { reason: 'wrong_routing', detail: `taken for ${taken}, not for ${intents.join(' or ')}`, query }
  }
  const answer = plain(result.answer)
  const unsaid = expected.mentions.find(words => ![words].flat().some(each => isSaid(answer, each)))
  if (unsaid !== undefined) {
    return { reason: 'wrong_words', detail: `does not mention ${[unsaid].flat().join(' or ')}`, query }
  }
  const said = expected.never_mentions.find(words => isSaid(answer, words))
  if (said !== undefined) return { reason: 'wrong_words', detail: `mentions ${said}`, query }
  return right(query, '')
}

/** Whether an answer contains these words. Figures match only as a whole: 246 does not contain 24. */
function isSaid(answer: string, words: string): boolean {
  const wanted = plain(words)
  for (let at = answer.indexOf(wanted); at >= 0; at = answer.indexOf(wanted, at + 1)) {
    const before = answer[at - 1] ?? ' '
    const after = answer.slice(at + wanted.length, at + wanted.length + 2)
    const isCut = (/^\d/.test(wanted) && /[\d.]/.test(before)) || (/\d$/.test(wanted) && /^(\d|\.\d)/.test(after))
    if (!isCut) return true
  }
  return false
}

/** Removes Markdown and thousands separators from a text, and puts it in lower case. */
function plain(text: string): string {
  return text
    .replace(/[*_`]/g, '')
    .replace(/(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
}

function right(query: string | null, detail: string): Verdict {
  return { reason: null, detail, query }
}

/** Whether no query needed a second attempt. */
export function isFirstTry(queries: readonly QueryReport[]): boolean {
  return queries.every(query => query.attempts <= 1)
}
