import { CitationChecker } from '../../answer-check/citation-checker.ts'
import { findBraces } from '../../answer-check/formulas/braces.ts'
import { indexResults } from '../../answer-check/rows/result-index.ts'
import { inSlices } from '../../base/slices.ts'
import type { LinkHost } from '../../base/text/link-hosts.ts'
import { answerWords } from '../../words/answer.ts'
import type { ModelContext } from '../run/context.ts'
import { CheckedAnswer } from '../write/checked-answer.ts'
import { resultsPrompt } from '../write/results-prompt.ts'
import { rewrite } from '../write/rewrite.ts'
import { withSafeLinks } from '../write/safe-links.ts'
import type { LineageRequest } from './context.ts'
import { asQuery, type Evidence } from './evidence.ts'
import { driftSentence } from './input-drift.ts'
import type { LineageResult } from './result.ts'

export interface Findings {
  readonly evidence: readonly Evidence[]
  readonly replay: LineageResult['replay']
  /** The label of each table, by the table's name without the database. */
  readonly labels: ReadonlyMap<string, string>
  /** Everything else that the model has seen: SQL, columns, names. */
  readonly shown: string
}

/** Matches the name of an intermediate table of a job, with or without database and quotes. */
const OWN_TABLE = /`?(?:\b\w+`?\.`?)?\b(t_[0-9a-f]{16})\b`?/g
/** Matches a citation such as `[E1, E2]`, and the id in a formula for a whole table (`{table E1`). */
const CITED = /( ?)\[(E\d+(?:\s*,\s*E\d+)*)\]|(?<=\{table\s)E\d+/g
/**
 * Matches the id before a column in a formula (`E2.C3`). Also matches whole quoted texts, so that ids inside them are skipped.
 */
const IN_FORMULA = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?<![\p{L}\p{N}_.])E\d+(?=\.)/gu
/** Matches signs of SQL in a text between back-ticks. Without them, the text is a name. */
const SQL = /[(=<>{]|\b(?:SELECT|FROM|JOIN|WHERE|BY|OVER|AND|ON|AS)\b/

/**
 * Checks the answer of an investigation. A sentence that its cited rows do not support is rewritten once, and marked if that
 * fails. A sentence whose formula cannot be read is left out. Links to hosts that are not allowed become text, and unknown
 * citations are removed.
 */
export async function checkFindings(
  context: ModelContext & { readonly request: LineageRequest; readonly linkHosts: readonly LinkHost[] },
  written: string,
  found: Findings,
  signal: AbortSignal,
): Promise<Pick<LineageResult, 'evidence' | 'citations' | 'figures'> & { readonly markdown: string }> {
  const { request, linkHosts } = context
  const { replay, labels, shown } = found
  const { text, evidence } = numbered(written, found.evidence)
  const queries = evidence.map(asQuery)
  const checker = new CitationChecker(
    queries,
    {
      question: request.question,
      timeZone: request.timeZone,
      askedAt: request.askedAt,
      language: request.language,
      known: shown,
      hide: withoutSql,
    },
    await inSlices(indexResults(queries)),
  )
  const results = resultsPrompt(queries)
  const answer = new CheckedAnswer({
    unverified: answerWords(request.language).unverifiedMark,
    check: unit => checker.checkInParts(unit),
    mark: () => checker.mark(),
    end: () => checker.end(),
    rewrite: (sentence, problems, attempt) => rewrite(context, { sentence, problems, attempt, results }, signal),
    onGrown: () => {},
  })
  answer.add(text)
  const { markdown, citations, figures } = await answer.end()
  const drift = replay === null ? '' : driftSentence(replay.drift, request.language)
  const readable = markdown.replace(OWN_TABLE, (whole, name: string) => labels.get(name) ?? whole)
  const whole = [withSafeLinks(readable, linkHosts), drift].filter(part => part !== '').join('\n\n')
  const cited = new Set(citedIn(whole))
  return { markdown: whole, evidence: evidence.filter(({ id }) => cited.has(id)), citations, figures }
}

/** Replaces SQL in a text before the check, because SQL makes no claim about rows. The text keeps its length. */
function withoutSql(unit: string): string {
  return unit.replace(/`([^`]*)`/g, (span, code: string) =>
    SQL.test(code) ? 'the SQL'.padEnd(span.length).slice(0, span.length) : span,
  )
}

/** Renumbers the evidence from E1, in the order in which the text cites it. Citations of unknown evidence are removed. */
function numbered(
  written: string,
  known: readonly Evidence[],
): { readonly text: string; readonly evidence: readonly Evidence[] } {
  const cited = citedIn(written).flatMap(id => known.find(each => each.id === id) ?? [])
  const evidence = [...new Set([...cited, ...known])]
  const numbers = new Map(evidence.map(({ id }, index) => [id, `E${index + 1}`]))
  const renumbered = written.replace(CITED, (whole, blank: string | undefined, ids: string | undefined) => {
    if (ids === undefined) return numbers.get(whole) ?? whole
    const real = idsOf(ids).flatMap(id => numbers.get(id) ?? [])
    return real.length === 0 ? '' : `${blank}[${real.join(', ')}]`
  })
  let text = ''
  let copied = 0
  for (const { start, end } of findBraces(renumbered)) {
    const formula = renumbered.slice(start, end).replace(IN_FORMULA, id => numbers.get(id) ?? id)
    text += renumbered.slice(copied, start) + formula
    copied = end
  }
  return {
    text: text + renumbered.slice(copied),
    evidence: evidence.map((each, index) => ({ ...each, id: `E${index + 1}` })),
  }
}

/** Returns the ids of the evidence that a text cites, in order of appearance. */
function citedIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(CITED)].flatMap(([whole, , ids = whole]) => idsOf(ids)))]
}

function idsOf(citation: string): readonly string[] {
  return citation.split(',').map(id => id.trim())
}
