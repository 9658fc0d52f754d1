import { saidDirection } from '../direction.ts'
import { SAYS } from '../wording.ts'
import { type Around, cellOf, endsOf, NOT, ownWords, type WorkedFigure } from './worked-figure.ts'

/** "The highest of them", "apart from": the highest of some rows only, which the words tell and the rows do not. */
const OF_SOME =
  /(?<!\p{L})(?:of (?:them|these|those|the (?:two|three|four|rest|others?|remaining))|davon|darunter|others?|else|except|apart from|besides|after|excluding|without|ohne|außer|full|complete)(?!\p{L})/iu

/** What is left out may be told in another clause. */
const LEFT_OUT =
  /(?<!\p{L})(?:of (?:them|these|those)|davon|darunter|apart from|except|besides|excluding|leaving|außer|abgesehen)(?!\p{L})/iu

/** "Most often", "most recent": ranked by another word than the amount. */
const BY_ADJECTIVE =
  /^(?:most|least)\s\p{L}+(?:ed|ent|able|ible|ive|ic|al|ant|ful|ous|ly|common|popular|active|severe|often|of)(?!\p{L})/iu

/** "Of the shops with the highest turnover A has 3": another column's. */
const OF_ANOTHER = /(?<!\p{L})(?:with|mit|by|nach|whose|of the|den|der)\s(?:the\s|den\s|dem\s)?$/iu

const OF_ENDS = /^(?:min|max|least|most|peak|top|p\d+|q\d+)_|(?:^|_)(?:minimum|maximum|lowest|highest)(?:_|$)/i

export function wrongExtreme(each: WorkedFigure, around: Around): string | undefined {
  const cell = cellOf(each, around.results)
  if (cell === undefined || cell.result.rowCount < 2) return undefined
  const { column, rows } = cell
  const written = /^(?:Q\d+\.)?(min|max)\(/i.exec(each.expression.trim())?.[1]?.toLowerCase()
  // Of a column of minima the lowest says what it holds.
  const holds = OF_ENDS.exec(column.name)?.[0].replace(/_/g, '').toLowerCase()
  if (holds !== undefined ? holds !== written : column.key && written === undefined) return undefined
  const [before, behind] = ownWords(each, around)
  const words = superlativeIn(before) ? before : behind
  const superlative = superlativeIn(words)
  if (
    superlative === undefined ||
    OF_SOME.test(words) ||
    LEFT_OUT.test(around.parsed.text) ||
    SAYS.notFirst.test(words) ||
    NOT.test(words)
  )
    return undefined
  if (written === undefined && OF_ANOTHER.test(words.slice(0, superlative.index))) return undefined
  const own = column.values[rows[0] ?? 0] ?? Number.NaN
  const { least, most } = endsOf(column)
  // "Lost the most" is the lowest change.
  if (least === most || own < 0 || (least < 0 && saidDirection(words) < 0)) return undefined
  const isContrary = superlative.isHighest ? own === least || written === 'min' : own === most || written === 'max'
  return isContrary
    ? `${each.figure.text} is the ${superlative.isHighest ? 'lowest' : 'highest'} of ${column.name}, not the ${superlative.text}`
    : undefined
}

/** The one superlative of a few words; undefined where there is none, or one of each side. */
function superlativeIn(
  words: string,
): { readonly text: string; readonly index: number; readonly isHighest: boolean } | undefined {
  const most = SAYS.highest.exec(words)
  const least = SAYS.lowest.exec(words)
  const found = most ?? least
  if (found === null || (most && least) || BY_ADJECTIVE.test(words.slice(found.index))) return undefined
  return { text: found[0], index: found.index, isHighest: most !== null }
}
