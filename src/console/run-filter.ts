import { z } from 'zod'
import type { Viewer } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { type StoredLine, storedLineSchema } from './run-line.ts'
import type { ListedLine } from './run-mirror.ts'
import type { RunsJson } from './runs-json.ts'
import { isListed, seesQuestion, shownLine } from './shown-runs.ts'

/** A day, such as 2026-03-01, or a moment. */
const time = z
  .string()
  .transform(text => (/^\d+$/.test(text) ? Number(text) : Date.parse(text)))
  .refine(Number.isFinite, 'expected a day, an ISO time or milliseconds')

/** An empty parameter, as a form sends it, counts as absent. */
const parameter = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(value => (value === '' ? undefined : value), schema.optional())

export const runFilterSchema = z.object({
  person: parameter(z.string()),
  channel: parameter(z.string()),
  source: parameter(z.string()),
  outcome: parameter(storedLineSchema.shape.outcome),
  confidence: parameter(z.enum(['HIGH', 'MEDIUM', 'LOW'])),
  /** Words that the question has, all of them, in any case. */
  text: parameter(z.string().max(200)),
  /** Days of UTC count from their beginning, so `to` is the first moment that no longer counts. */
  from: parameter(time),
  to: parameter(time),
  min_cost: parameter(z.coerce.number()),
  min_ms: parameter(z.coerce.number()),
  sort: z.enum(['at', 'ms', 'query', 'cost', 'tokens']).default('at'),
  /** `next` of the page before. */
  before: parameter(z.string()),
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
export function selectRuns(lines: readonly ListedLine[], filter: RunFilter, viewer: Viewer): Omit<RunsJson, 'at'> {
  const listed = lines.filter(line => isListed(line, viewer))
  const found = listed.filter(matcher(filter, viewer))
  if (filter.sort !== 'at') found.sort((one, other) => WEIGHTS[filter.sort](other) - WEIGHTS[filter.sort](one))
  const after = filter.before === undefined ? 0 : found.findIndex(({ id }) => id === filter.before) + 1
  const page = found.slice(after, after + filter.limit)
  return {
    runs: page.map(line => shownLine(line, viewer)),
    next: after + page.length < found.length ? (page.at(-1)?.id ?? null) : null,
    total: found.length,
    people: valuesOf(listed, ({ person }) => [person]),
    channels: valuesOf(listed, ({ channel, place }) => (channel === '' ? [] : [place])),
    sources: valuesOf(listed, ({ sources }) => sources),
  }
}

function matcher(filter: RunFilter, viewer: Viewer): (line: ListedLine) => boolean {
  const { person, channel, source, outcome, confidence, from = 0, to = Number.POSITIVE_INFINITY } = filter
  const words = (filter.text ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  const hasWords = (line: StoredLine) => {
    const question = line.question?.toLowerCase()
    return question !== undefined && seesQuestion(line, viewer) && words.every(word => question.includes(word))
  }
  return line =>
    (person === undefined || line.person === person) &&
    (channel === undefined || [line.place, `${line.platform}/${line.channel}`].includes(channel)) &&
    (source === undefined || line.sources.includes(source)) &&
    (outcome === undefined || line.outcome === outcome) &&
    (confidence === undefined || line.confidence === confidence) &&
    line.at >= from &&
    line.at < to &&
    (filter.min_cost === undefined || (line.cost ?? 0) >= filter.min_cost) &&
    (filter.min_ms === undefined || (line.ms ?? 0) >= filter.min_ms) &&
    (words.length === 0 || hasWords(line))
}

function valuesOf(lines: readonly ListedLine[], of: (line: ListedLine) => readonly string[]): readonly string[] {
  return [...new Set(lines.flatMap(of))].sort()
}
