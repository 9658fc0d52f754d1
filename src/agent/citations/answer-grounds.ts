import { describeFinding } from '../../clickhouse/filters/filter-finding.ts'
import { oncePerObject, oncePerText } from '../../remembered.ts'
import type { UnexplainedQuery } from '../run-result.ts'
import { Budget } from './budget.ts'
import { givenFigures, type Moment, sqlFigures } from './given-figures.ts'
import type { Grounds } from './parse-text.ts'
import type { ResultIndex } from './result-index.ts'
import type { WrittenDate } from './written-dates.ts'

export interface AnswerContext {
  /** The question that the answer answers. */
  readonly question: string
  /** The asker's time zone: times may be shown in it without saying so. */
  readonly timeZone?: string
  /** When it was asked, ISO 8601: what "today" and "this year" are. */
  readonly askedAt?: string
  /** What else the writer was shown, such as the SQL that made the rows: names in it are no inventions. */
  readonly known?: string
}

/** What sentences that cite the same queries are checked against. */
type Source = Pick<Grounds, 'results' | 'given' | 'known' | 'zones'>

/** Values that are tried for one sentence's figures. */
const MOST_TRIES = 20_000
/** Time zones of late askers, whose formatters take a millisecond to make. */
const KNOWN_ZONES = 50

/** What the units of one answer are checked against, by the queries that they cite. */
export class AnswerGrounds {
  readonly #queries: readonly UnexplainedQuery[]
  readonly #results: ReadonlyMap<string, ResultIndex>
  readonly #context: AnswerContext
  readonly #asked: Moment | undefined
  /** What does not change from sentence to sentence, by the queries that are cited. */
  readonly #sources = new Map<string, Source>()

  constructor(queries: readonly UnexplainedQuery[], results: ReadonlyMap<string, ResultIndex>, context: AnswerContext) {
    this.#queries = queries
    this.#results = results
    this.#context = context
    this.#asked = momentOf(context)
  }

  /** The grounds of a text that cites these queries; `opening` is the answer's first sentence, which tells its language. */
  of(
    cited: readonly string[],
    text: string,
    { opening, ...workings }: Pick<Grounds, 'proven' | 'isWorked'> & { readonly opening: string },
  ): Grounds {
    const { zones, ...source } = this.#source(cited)
    const { question, timeZone } = this.#context
    return {
      ...source,
      question,
      language: `${question} ${opening}`,
      ...workings,
      isWhole: false,
      budget: new Budget(MOST_TRIES),
      memo: new Map(),
      zones: ['', ...zonesNamed(text), ...zones, ...(timeZone ? [timeZone] : [])],
    }
  }

  #source(cited: readonly string[]): Source {
    const queries = this.#queries.filter(query => cited.includes(query.id))
    const key = queries.map(query => query.id).join()
    const source = this.#sources.get(key) ?? this.#read(queries)
    this.#sources.set(key, source)
    return source
  }

  #read(queries: readonly UnexplainedQuery[]): Source {
    const asked = [
      this.#context.question,
      ...queries.flatMap(query => [query.question, ...query.look_up.map(describeFinding)]),
    ].join('\n')
    const sql = queries.map(query => query.sql ?? '').join('\n')
    const columns = queries.flatMap(query => query.columns.map(column => column.name)).join(' ')
    return {
      results: queries.flatMap(query => this.#results.get(query.id) ?? []),
      given: givenFigures(
        asked,
        queries.map(query => sqlFiguresOf(query)),
        this.#asked,
      ),
      known: [asked, sql, columns, this.#context.known ?? ''].join('\n').toLowerCase(),
      zones: zonesNamed(asked),
    }
  }
}

const sqlFiguresOf = oncePerObject((query: UnexplainedQuery) => sqlFigures(query.sql ?? ''))

/** Time zones that a text names, as the platform and as people call them. */
function zonesNamed(text: string): readonly string[] {
  return text.match(/\b(?:[A-Z][a-z]+\/[A-Z][A-Za-z_]+|UTC|CET|CEST|EST|PST)\b/g) ?? []
}

/** When it was asked: the asker's day, and the clock there and in UTC. */
function momentOf({ askedAt, timeZone }: AnswerContext): Moment | undefined {
  if (askedAt === undefined) return undefined
  const [there, utc] = [timeZone ?? 'UTC', 'UTC'].map(zone => writtenMoment(new Date(askedAt), zone))
  const { clock, ...day } = there ?? {}
  return { day, clocks: [clock, utc?.clock].filter(minutes => minutes !== undefined) }
}

const momentFormat = oncePerText(
  timeZone =>
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
  KNOWN_ZONES,
)

function writtenMoment(time: Date, timeZone: string): WrittenDate {
  const written = momentFormat(timeZone).format(time)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = (written.match(/\d+/g) ?? []).map(Number)
  return { year, month, day, clock: hour * 60 + minute }
}
