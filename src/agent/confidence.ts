import { isEmptyResult } from './empty-result.ts'
import { codeSpan, missingValues } from './missing-values.ts'
import type { CitationReport, ConfidenceLevel, QueryReport } from './run-result.ts'

export interface Confidence {
  readonly confidence: ConfidenceLevel | null
  readonly confidence_reason: string | null
}

interface Rule {
  readonly level: 'LOW' | 'MEDIUM'
  /** One short clause for each thing that the rule finds. */
  find(answer: RatedAnswer): readonly string[]
}

interface RatedAnswer {
  readonly queries: readonly QueryReport[]
  /** Data questions that were not looked up, being too many. */
  readonly leftOut?: readonly string[]
  readonly citations: CitationReport | null
}

/** What speaks against an answer. The table in docs/confidence.md says the same in words; an answer of which no rule finds anything is HIGH. */
const RULES: readonly Rule[] = [
  {
    level: 'LOW',
    find: ({ queries }) => queries.filter(query => query.error !== null).map(query => `${query.id} failed`),
  },
  {
    level: 'LOW',
    find: ({ queries }) =>
      queries
        .filter(query => query.review?.verdict === 'suspicious')
        .map(query => `the empty result of ${query.id} looks wrong (${clause(query.review?.reason ?? '')})`),
  },
  {
    level: 'LOW',
    find: ({ citations }) => {
      const count = citations?.unsupported.length ?? 0
      if (count === 0) return []
      return [count === 1 ? 'one statement could not be verified' : `${count} statements could not be verified`]
    },
  },
  {
    level: 'MEDIUM',
    find: ({ leftOut = [] }) => {
      if (leftOut.length === 0) return []
      return [leftOut.length === 1 ? 'one part was not looked up' : `${leftOut.length} parts were not looked up`]
    },
  },
  {
    level: 'MEDIUM',
    find: ({ queries }) =>
      succeeded(queries, query => query.truncated).map(
        query => `the result of ${query.id} was cut after ${query.row_count.toLocaleString('en')} rows`,
      ),
  },
  {
    level: 'MEDIUM',
    find: ({ queries }) =>
      succeeded(queries, query => query.narrowed !== null).map(
        query => `${query.id} was narrowed (${clause(query.narrowed ?? '')})`,
      ),
  },
  {
    // A question that asks for things has rows to return; a figure, were it 0, is one row.
    level: 'MEDIUM',
    find: ({ queries }) =>
      succeeded(queries, query => query.rows.length === 0 && query.review?.verdict === 'expected').map(
        query => `${query.id} found nothing`,
      ),
  },
  {
    level: 'MEDIUM',
    find: ({ queries }) =>
      succeeded(queries, query => isEmptyResult(query) && query.review === null).map(
        query => `${query.id} found nothing, and whether that can be could not be judged`,
      ),
  },
  {
    level: 'MEDIUM',
    find: ({ queries }) =>
      queries.flatMap(query => {
        const [first, ...others] = missingValues(query)
        if (first === undefined) return []
        const more = others.length === 0 ? '' : `, and ${others.length} more such ${others.length === 1 ? 'value' : 'values'}`
        return [`${query.id} looks for ${codeSpan(first.value)}, which does not occur in ${codeSpan(first.column)}${more}`]
      }),
  },
  {
    level: 'MEDIUM',
    find: ({ queries, citations }) =>
      succeeded(queries, () => true).length > 0 && (citations === null || citations.checked === 0)
        ? ['nothing in the answer was checked against the rows']
        : [],
  },
  {
    level: 'MEDIUM',
    find: ({ queries }) =>
      succeeded(queries, query => query.deciding_assumptions.length > 0).map(query => `${query.id} rests on an assumption`),
  },
  {
    level: 'MEDIUM',
    find: ({ queries }) => succeeded(queries, query => query.doubt !== undefined).map(query => `${query.id} ${query.doubt}`),
  },
  {
    level: 'MEDIUM',
    find: ({ queries }) => {
      const unchecked = succeeded(queries, query => query.unchecked !== null)
      const reasonOf = (query: QueryReport) => clause(query.unchecked ?? '')
      return [...new Set(unchecked.map(reasonOf))].map(reason => {
        const ids = unchecked.filter(query => reasonOf(query) === reason).map(({ id }) => id)
        return `${ids.join(', ')} ran unchecked (${reason})`
      })
    },
  },
]

/**
 * How far an answer can be relied on, and why no further: computed from what happened, never asked of a model. The lowest level of all rules that find
 * something; its reason names everything found at that level. null and null where no query was asked for.
 */
export function confidenceOf(answer: RatedAnswer): Confidence {
  if (answer.queries.length === 0) return { confidence: null, confidence_reason: null }
  for (const level of ['LOW', 'MEDIUM'] as const) {
    const reasons = RULES.filter(rule => rule.level === level).flatMap(rule => rule.find(answer))
    if (reasons.length > 0) return { confidence: level, confidence_reason: `${reasons.join('; ')}.` }
  }
  return { confidence: 'HIGH', confidence_reason: null }
}

/** The line below an answer that says how far it can be relied on; empty when there is nothing to say, or when nothing was answered. */
export function confidenceLine({
  queries,
  confidence,
  confidence_reason: reason,
}: Confidence & { readonly queries: readonly QueryReport[] }): string {
  const isAnswered = queries.some(query => query.error === null)
  return isAnswered && reason !== null ? `**Confidence ${confidence}:** ${reason}` : ''
}

function succeeded(queries: readonly QueryReport[], holds: (query: QueryReport) => boolean): readonly QueryReport[] {
  return queries.filter(query => query.error === null && holds(query))
}

/** A sentence as part of another. */
function clause(sentence: string): string {
  return sentence.replace(/\s+/g, ' ').trim().replace(/\.$/, '')
}
