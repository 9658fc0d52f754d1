import { CitationChecker } from '../../answer-check/citation-checker.ts'
import { indexResults } from '../../answer-check/rows/result-index.ts'
import { inSlices } from '../../base/slices.ts'
import type { LinkHost } from '../../base/text/link-hosts.ts'
import { answerWords } from '../../words/answer.ts'
import type { ModelContext } from '../run/context.ts'
import type { CitationReport } from '../run/result.ts'
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
  /** Other texts that the model has seen: SQL, columns, names. */
  readonly shown: string
}

/** Matches the name of a table that a job has made, with or without database and quotes. */
const OWN_TABLE = /`?(?:\b\w+`?\.`?)?\b(t_[0-9a-f]{16})\b`?/g
/** Matches a citation of one or more pieces of evidence. */
const CITED = /( ?)\[(E\d+(?:\s*,\s*E\d+)*)\]/g
/** Matches signs of SQL in a text between back-ticks. A text without such signs is a name. */
const SQL = /[(=<>{]|\b(?:SELECT|FROM|JOIN|WHERE|BY|OVER|AND|ON|AS)\b/
const AS_QUERY = /\[(Q\d+(?:\s*,\s*Q\d+)*)\]/g

/**
 * Checks the answer of an investigation. A sentence that its cited rows do not support is rewritten once. If that fails, the sentence is marked.
 * Foreign links and unknown citations are removed.
 */
export async function checkFindings(
  context: ModelContext & { readonly request: LineageRequest; readonly linkHosts: readonly LinkHost[] },
  written: string,
  { evidence, replay, labels, shown }: Findings,
  signal: AbortSignal,
): Promise<{ readonly markdown: string; readonly evidence: readonly Evidence[]; readonly citations: CitationReport }> {
  const { request, linkHosts } = context
  // CitationChecker knows only ids such as Q1. So the ids of evidence, such as E1, are replaced.
  const queries = evidence.map(each => ({ ...asQuery(each), id: queryId(each) }))
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
  const known = new Set(evidence.map(({ id }) => id))
  answer.add(written.replace(CITED, (_, blank: string, ids: string) => citation(blank, ids, known)))
  const { markdown, citations } = await answer.end()
  const drift = replay === null ? '' : driftSentence(replay.drift, request.language)
  const readable = markdown.replace(OWN_TABLE, (whole, name: string) => labels.get(name) ?? whole)
  const whole = [withSafeLinks(readable, linkHosts), drift].filter(part => part !== '').join('\n\n')
  return { ...counted(whole, evidence), citations }
}

/** Hides SQL in a text, because SQL claims nothing about rows. The text keeps its length. */
function withoutSql(unit: string): string {
  return unit.replace(/`([^`]*)`/g, (span, code: string) =>
    SQL.test(code) ? 'the SQL'.padEnd(span.length).slice(0, span.length) : span,
  )
}

/** Numbers the citations from E1, in the order of their appearance. Returns the evidence in the same order. */
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

/** Writes a citation of evidence as a citation of queries, without unknown ids. Empty if all ids are unknown. */
function citation(blank: string, ids: string, known: ReadonlySet<string>): string {
  const real = ids
    .split(',')
    .map(id => id.trim())
    .filter(id => known.has(id))
  return real.length === 0 ? '' : `${blank}[${real.join(', ').replaceAll('E', 'Q')}]`
}
