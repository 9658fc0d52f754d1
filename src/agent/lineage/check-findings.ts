import { inSlices } from '../../slices.ts'
import { answerWords } from '../../words/answer-words.ts'
import { CheckedAnswer } from '../checked-answer.ts'
import { CitationChecker } from '../citations/citation-checker.ts'
import { indexResults } from '../citations/result-index.ts'
import { resultsPrompt } from '../results-prompt.ts'
import { rewrite } from '../rewrite.ts'
import type { CitationReport } from '../run-result.ts'
import { withSafeLinks } from '../safe-links.ts'
import { asQuery, type Evidence } from './evidence.ts'
import { driftSentence } from './input-drift.ts'
import type { LineageContext } from './lineage-context.ts'
import type { LineageResult } from './lineage-result.ts'

/** What an investigation has found. */
export interface Findings {
  readonly evidence: readonly Evidence[]
  readonly replay: LineageResult['replay']
  /** By a table's bare name. */
  readonly labels: ReadonlyMap<string, string>
  /** What else the model was shown: SQL, columns, names. */
  readonly shown: string
}

/** A job's own table, with or without its database and quotes. */
const OWN_TABLE = /`?(?:\b\w+`?\.`?)?\b(t_[0-9a-f]{16})\b`?/g
/** A citation of evidence, or of several. */
const CITED = /( ?)\[(E\d+(?:\s*,\s*E\d+)*)\]/g
/** What tells SQL between back-ticks from a name. */
const SQL = /[(=<>{]|\b(?:SELECT|FROM|JOIN|WHERE|BY|OVER|AND|ON|AS)\b/
const AS_QUERY = /\[(Q\d+(?:\s*,\s*Q\d+)*)\]/g

/**
 * An investigation's answer as it goes out: each cited sentence compared with its rows, put right once or marked; no link but the operator's; no citation of what was not found.
 */
export async function checkFindings(
  context: LineageContext,
  written: string,
  { evidence, replay, labels, shown }: Findings,
  signal: AbortSignal,
): Promise<{ readonly markdown: string; readonly evidence: readonly Evidence[]; readonly citations: CitationReport }> {
  const { request, deps } = context
  // The check of citations knows results by Q and a number.
  const queries = evidence.map(each => ({ ...asQuery(each), id: queryId(each) }))
  const checker = new CitationChecker(
    queries,
    { question: request.question, timeZone: request.timeZone, askedAt: request.askedAt, known: shown },
    await inSlices(indexResults(queries)),
  )
  const results = resultsPrompt(queries)
  const answer = new CheckedAnswer({
    unverified: answerWords(request.language).unverifiedMark,
    check: unit => checker.checkInParts(withoutSql(unit)),
    mark: () => checker.mark(),
    end: () => checker.end(),
    rewrite: (sentence, problems, attempt) => rewrite(context, { sentence, problems, attempt, results }, signal),
    onGrown: () => {},
  })
  const known = new Set(evidence.map(({ id }) => id))
  answer.add(written.replace(CITED, (_, blank: string, ids: string) => citation(blank, ids, known)))
  const { markdown, citations } = await answer.end()
  const drift = replay === null ? '' : driftSentence(replay.drift, request.language)
  const readable = markdown.replace(OWN_TABLE, (whole, name: string) => labels.get(name) ?? whole)
  const whole = [withSafeLinks(readable, deps.linkHosts), drift].filter(part => part !== '').join('\n\n')
  return { ...counted(whole, evidence), citations }
}

/** SQL as it stands or should read is in no row, and need not be. */
function withoutSql(unit: string): string {
  return unit.replace(/`([^`]*)`/g, (span, code: string) => (SQL.test(code) ? 'the SQL' : span))
}

/** The citations counted from E1 in the order in which they appear, and what they stand for. */
function counted(
  markdown: string,
  evidence: readonly Evidence[],
): { readonly markdown: string; readonly evidence: readonly Evidence[] } {
  const cited = [...new Set([...markdown.matchAll(AS_QUERY)].flatMap(([, ids = '']) => ids.split(',').map(id => id.trim())))]
  const numbers = new Map(cited.map((id, index) => [id, `E${index + 1}`]))
  return {
    markdown: markdown.replace(AS_QUERY, (_, ids: string) => `[${ids.replace(/Q\d+/g, id => numbers.get(id) ?? id)}]`),
    evidence: cited.flatMap(id => {
      const found = evidence.find(each => queryId(each) === id)
      return found === undefined ? [] : [{ ...found, id: numbers.get(id) ?? id }]
    }),
  }
}

function queryId({ id }: Evidence): string {
  return id.replace(/^E/, 'Q')
}

/** A citation without what was never found, as one of queries; with the blank before it. */
function citation(blank: string, ids: string, known: ReadonlySet<string>): string {
  const real = ids
    .split(',')
    .map(id => id.trim())
    .filter(id => known.has(id))
  return real.length === 0 ? '' : `${blank}[${real.join(', ').replaceAll('E', 'Q')}]`
}
