import { memoizePerObject, memoizePerText } from '../base/memoize.ts'
import { describeEdges } from '../warehouse/data-edges.ts'
import { describeFinding } from '../warehouse/filter-finding.ts'
import type { Language } from '../words/language.ts'
import type { CheckedQuery } from './checked-query.ts'
import type { WrittenDate } from './figures/written-dates.ts'
import { type DayAndClocks, givenFigures, sqlFigures } from './given-figures.ts'
import { CHECK_LIMITS } from './limits.ts'
import type { Grounds } from './parse-text.ts'
import type { ResultIndex } from './rows/result-index.ts'
import { shift } from './rows/time-column.ts'

export interface AnswerContext {
  readonly question: string
  /** The asker's time zone. An answer may give times in this zone without naming it. */
  readonly timeZone?: string
  /** The time of the question, in ISO 8601. "Today" and "this year" depend on it. */
  readonly askedAt?: string
  /** The language in which formulas are written as words and figures, unless the answer shows its language. Default: English. */
  readonly language?: Language
  /** Hides parts of a text that claim nothing, such as SQL. All offsets must stay the same. */
  readonly hide?: (text: string) => string
  /** Other text that the answer's author saw, such as the SQL. A name that occurs in this text counts as known. */
  readonly known?: string
}

/** Collects, for each unit of an answer, the facts of the queries that the unit cites. */
export class AnswerGrounds {
  readonly #queries: readonly CheckedQuery[]
  readonly #results: ReadonlyMap<string, ResultIndex>
  readonly #context: AnswerContext
  readonly #asked: DayAndClocks | undefined
  /** Returns the facts for cited queries, whose ids stand between commas. */
  readonly #source = memoizePerText(
    (ids: string) => this.#read(this.#queries.filter(query => ids.split(',').includes(query.id))),
    CHECK_LIMITS.cachedWords,
  )

  constructor(queries: readonly CheckedQuery[], results: ReadonlyMap<string, ResultIndex>, context: AnswerContext) {
    this.#queries = queries
    this.#results = results
    this.#context = context
    this.#asked = momentOf(context)
  }

  /** Returns the grounds for a text that cites these queries. `opening` is the answer's first sentence. The answer's language is detected from it. */
  of(
    cited: readonly string[],
    text: string,
    { opening, ...workings }: Pick<Grounds, 'proven' | 'isWorked'> & { readonly opening: string },
  ): Grounds {
    const { zones, ...source } = this.#source(cited.join())
    const { question, timeZone } = this.#context
    return {
      ...source,
      question,
      language: `${question} ${opening}`,
      ...workings,
      isWhole: false,
      zones: ['', ...zonesNamed(text), ...zones, ...(timeZone ? [timeZone] : [])],
    }
  }

  /** Reads the facts of these queries ahead, one query at a time. Later calls of `of` are quick then. */
  *read(cited: readonly string[]): Generator<void, void> {
    for (const query of this.#queries) {
      sqlFiguresOf(query)
      yield
    }
    this.#source(cited.join())
    yield
  }

  /** Reads the facts shared by all sentences that cite the same queries. */
  #read(queries: readonly CheckedQuery[]): Pick<Grounds, 'results' | 'given' | 'known' | 'zones'> {
    const asked = [
      this.#context.question,
      ...queries.flatMap(({ question, look_up: findings, edges }) => [
        question,
        ...findings.map(describeFinding),
        ...(edges === undefined ? [] : [describeEdges(edges)]),
      ]),
    ].join('\n')
    const sql = queries.map(query => query.sql ?? '').join('\n')
    const columns = queries.flatMap(query => query.columns.map(column => column.name)).join(' ')
    return {
      results: queries.flatMap(query => this.#results.get(query.id) ?? []),
      given: givenFigures(asked, queries.map(sqlFiguresOf), this.#asked),
      known: [asked, sql, columns, this.#context.known ?? ''].join('\n').toLowerCase(),
      zones: zonesNamed(asked),
    }
  }
}

const sqlFiguresOf = memoizePerObject((query: CheckedQuery) => sqlFigures(query.sql ?? ''))

/** Finds time zones such as "Europe/Berlin" or "CET". */
function zonesNamed(text: string): readonly string[] {
  return text.match(/\b(?:[A-Z][a-z]+\/[A-Z][A-Za-z_]+|UTC|CET|CEST|EST|PST)\b/g) ?? []
}

/** Returns the day of the question in the asker's zone, and the time of day in that zone and in UTC. */
function momentOf({ askedAt, timeZone }: AnswerContext): DayAndClocks | undefined {
  if (askedAt === undefined) return undefined
  const [there, utc] = [timeZone ?? 'UTC', 'UTC'].map(zone => writtenMoment(new Date(askedAt), zone))
  const { clock, ...day } = there ?? {}
  return { day, clocks: [clock, utc?.clock].filter(minutes => minutes !== undefined) }
}

function writtenMoment(time: Date, timeZone: string): WrittenDate {
  const [there = 0] = shift(Float64Array.of(time.getTime()), 'UTC', timeZone)
  const date = new Date(there)
  const clock = date.getUTCHours() * 60 + date.getUTCMinutes()
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), clock }
}
