import { answerWords } from '../../words/answer.ts'
import { type Language, numberText } from '../../words/language.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { Combined, QueryReport } from '../run/result.ts'

/** A join over several sources, as the reader of an answer must know it. */
export interface JoinNote {
  readonly text: string
  /** Whether so many rows have no partner that the answer is less certain. */
  readonly isDoubtful: boolean
}

/** Returns a sentence for each join over several sources: what it joins, how many keys met, and which rows it lost. */
export function joinNotes(
  queries: readonly Pick<QueryReport, 'id' | 'source' | 'error' | 'combined'>[],
  language: Language,
): readonly JoinNote[] {
  const sources = new Map(queries.map(({ id, source }) => [id, source]))
  const joins = queries.flatMap(({ id, error, combined }) =>
    error !== null || combined === undefined ? [] : combined.joins.map(join => ({ id, join })),
  )
  // Several results may rest on the same join.
  const once = new Map(joins.toReversed().map(each => [JSON.stringify(each.join), each]))
  return [...once.values()].toReversed().map(({ id, join }) => noteOf(id, join, sources, language))
}

function noteOf(
  id: string,
  join: Combined['joins'][number],
  sources: ReadonlyMap<string, string | undefined>,
  language: Language,
): JoinNote {
  const words = answerWords(language)
  const side = (ids: readonly string[]) =>
    ids.map(each => (sources.get(each) === undefined ? each : `${each} (${sources.get(each)})`)).join(' + ')
  const count = (value: number) => numberText(value, language)
  const joined = words.joined({
    id,
    left: side(join.left),
    right: side(join.right),
    on: join.on.join(', '),
    met: count(join.keys_met),
    leftKeys: count(join.keys_left),
    rightKeys: count(join.keys_right),
  })
  const hasMet = join.keys_met > 0 || join.keys_left === 0 || join.keys_right === 0
  const sentences = [joined, ...lostSentence(join, side(join[join.lost_side]), language), ...(hasMet ? [] : [words.spelling])]
  return { text: sentences.join(' '), isDoubtful: !hasMet || join.lost_share >= AGENT_LIMITS.planning.lostShare }
}

function lostSentence(
  { kind, lost_share: lost }: Combined['joins'][number],
  side: string,
  language: Language,
): readonly string[] {
  if (lost === 0) return []
  const words = answerWords(language)
  const share = `${numberText(Math.max(0.1, Math.round(1_000 * lost) / 10), language)} %`
  return [kind === 'inner' ? words.lostByJoin(share, side) : words.emptyByJoin(share, side)]
}
