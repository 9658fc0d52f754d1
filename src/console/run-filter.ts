import { z } from 'zod'
import type { Viewer } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { type StoredLine, storedLineSchema } from './run-line.ts'
import type { ListedLine } from './run-mirror.ts'
import { isListed, seesQuestion, shownLine } from './shown-runs.ts'

/** A day, such as 2026-03-01, or a moment. */
const time = z
  .string()
  .transform(text => (/^\d+$/.test(text) ? Number(text) : Date.parse(text)))
  .refine(Number.isFinite, 'expected a day, an ISO time or milliseconds')

const { outcome, confidence } = storedLineSchema.shape

export const runFilterSchema = z.object({
  person: z.string().optional(),
  channel: z.string().optional(),
  source: z.string().optional(),
  outcome: outcome.unwrap().optional(),
  confidence: confidence.unwrap().optional(),
  /** Words that the question has, all of them, in any case. */
  text: z.string().max(200).default(''),
  /** Days of UTC count from their beginning, so `to` is the first moment that no longer counts. */
  from: time.default(0),
  to: time.default(Number.POSITIVE_INFINITY),
  min_cost: z.coerce.number().default(0),
  min_ms: z.coerce.number().default(0),
  sort: z.enum(['at', 'ms', 'query', 'cost', 'tokens']).default('at'),
  /** `next` of the page before. */
  before: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(CONSOLE_LIMITS.largestPage).default(CONSOLE_LIMITS.page),
})
type RunFilter = z.infer<typeof runFilterSchema>

const WEIGHTS: Readonly<Record<RunFilter['sort'], (line: StoredLine) => number>> = {
  at: ({ at }) => at,
  ms: ({ ms }) => ms ?? -1,
  query: ({ longest_query_ms: ms }) => ms ?? -1,
  cost: ({ cost }) => cost ?? -1,
  tokens: line => line.tokens_in + line.tokens_out,
}

/**
 * Selects a page of the runs that a viewer sees. Only a question that the viewer sees is searched.
 * @param lines the latest first
 */
export function selectRuns(lines: readonly ListedLine[], filter: RunFilter, viewer: Viewer) {
  const listed = lines.filter(line => isListed(line, viewer))
  const found = listed.filter(matcher(filter, viewer))
  if (filter.sort !== 'at') found.sort((one, other) => WEIGHTS[filter.sort](other) - WEIGHTS[filter.sort](one))
  const after = filter.before === undefined ? 0 : found.findIndex(({ id }) => id === filter.before) + 1
  const page = found.slice(after, after + filter.limit)
  return {
    runs: page.map(line => shownLine(line, viewer)),
    /** What `before` takes for the next page. Null on the last page. */
    next: after + page.length < found.length ? (page.at(-1)?.id ?? null) : null,
    /** How many runs the filters find. */
    total: found.length,
    // The values of all runs that the viewer sees, for the filters.
    people: valuesOf(listed, ({ person }) => [person]),
    channels: valuesOf(listed, ({ channel, place }) => (channel === '' ? [] : [place])),
    sources: valuesOf(listed, ({ sources }) => sources),
  }
}

function matcher(filter: RunFilter, viewer: Viewer): (line: ListedLine) => boolean {
  const { channel, source, text, from, to, min_cost, min_ms } = filter
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const hasWords = (line: StoredLine) => {
    const question = line.question?.toLowerCase()
    return question !== undefined && seesQuestion(line, viewer) && words.every(word => question.includes(word))
  }
  const same = (['person', 'outcome', 'confidence'] as const).filter(name => filter[name] !== undefined)
  return line =>
    same.every(name => line[name] === filter[name]) &&
    (channel === undefined || [line.place, `${line.platform}/${line.channel}`].includes(channel)) &&
    (source === undefined || line.sources.includes(source)) &&
    line.at >= from &&
    line.at < to &&
    (line.cost ?? 0) >= min_cost &&
    (line.ms ?? 0) >= min_ms &&
    (words.length === 0 || hasWords(line))
}

function valuesOf(lines: readonly ListedLine[], of: (line: ListedLine) => readonly string[]): readonly string[] {
  return [...new Set(lines.flatMap(of))].sort()
}
