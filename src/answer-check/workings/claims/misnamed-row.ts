import { CHECK_LIMITS } from '../../limits.ts'
import type { Mention } from '../../mentions.ts'
import type { ResultIndex } from '../../rows/result-index.ts'
import type { Problem } from '../../unsupported-figure.ts'
import { containsName, isLeftOut, isLevel, type OwnedPart, type Sentence } from '../name-mismatch.ts'

/** Matches a pronoun, which refers to a name mentioned before. */
const MEANT =
  /(?<!\p{L})(?:its?|they|their|es|sie|seine[rnsm]?|ihre[rnsm]?|il|elle|ils|elles|son|sa|ses|leurs?|su|sus|ella|ellos)(?!\p{L})/iu
/**
 * Reports a sentence that names other rows than its workings read. Either the sentence names a row that no working reads, and omits a row that a
 * working reads. Or the sentence contains a name twice. An exchanged name is found even if no figure stands beside it.
 */
export function misnamedRow(parts: readonly OwnedPart[], sentence: Sentence, said: ReadonlySet<string>): Problem | undefined {
  for (const result of sentence.parsed.mentions.length === 0 ? [] : sentence.grounds.results) {
    const own = parts.filter(part => part.query === result.id)
    const found = own.length > 0 ? misnamedIn(result, own, sentence, said) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function misnamedIn(
  result: ResultIndex,
  parts: readonly OwnedPart[],
  { parsed, grounds, earlier }: Sentence,
  said: ReadonlySet<string>,
): Problem | undefined {
  const { text, mentions } = parsed
  const own = mentions.filter(mention => mention.rows.has(result.id) && mention.axis !== 'range')
  const named = new Set(own.flatMap(mention => mention.rows.get(result.id) ?? []))
  const before = new Set(earlier.flatMap(mention => mention.rows.get(result.id) ?? []))
  const read = new Set(parts.filter(part => part.rows.length < result.rowCount).flatMap(part => part.rows))
  const { question } = grounds
  const isSaid = (name: string) =>
    containsName(text, name) || containsName(question, name) || (MEANT.test(text) && said.has(name.toLowerCase()))
  const repeated = repeatedName(text, parts)
  if (repeated !== undefined) return repeated
  for (const part of parts) {
    // Rows that meet a condition form a group, and are not named one by one.
    if (
      part.rows.length > CHECK_LIMITS.working.namedRows ||
      (!part.isCell && part.about.length > 0) ||
      (!part.isCell && part.rows.length === result.rowCount)
    )
      continue
    if (!part.isCell && !part.rows.some(row => named.has(row))) continue
    for (const row of part.rows) {
      if (named.has(row) || (before.has(row) && MEANT.test(text))) continue
      for (const column of result.textColumns) {
        const names = result.rowNames(row).filter(name => columnsOf(name.toLowerCase(), result).has(column))
        if (names.length === 0 || names.some(name => isSaid(name) || hasWordOf(text, name))) continue
        const alike = own.filter(
          mention => columnsOf(mention.key, result).has(column) && !isLeftOut(mention, parsed) && !isLevel(mention, part, result),
        )
        const stranger =
          alike.find(mention => !(mention.rows.get(result.id) ?? []).some(other => read.has(other))) ?? twice(alike)
        if (stranger === undefined) continue
        const written = text.slice(stranger.start, stranger.end)
        return { text: written, reason: `the workings read the row of ${names[0]}, and the sentence names ${written} instead` }
      }
    }
  }
  return undefined
}

/**
 * Reports a name that occurs twice, although one of the workings reads the row of another name: "3.55 on iOS and 0.96 on iOS", with a working for
 * Android.
 */
function repeatedName(text: string, parts: readonly OwnedPart[]): Problem | undefined {
  for (const { name, others } of parts.flatMap(part => part.about)) {
    if (containsName(text, name) || MEANT.test(text)) continue
    const other = others.find(candidate => isNamedTwice(text, candidate))
    if (other !== undefined)
      return { text: other, reason: `a working is about ${name}, and the sentence names ${other} twice instead` }
  }
  return undefined
}

function isNamedTwice(text: string, name: string): boolean {
  const at = text.toLowerCase().indexOf(name.toLowerCase())
  return at >= 0 && containsName(text, name) && containsName(text.slice(at + name.length), name)
}

function twice(mentions: readonly Mention[]): Mention | undefined {
  return mentions.find((mention, at) => mentions.findIndex(other => other.key === mention.key) < at)
}

function columnsOf(name: string, result: ResultIndex): ReadonlySet<string> {
  return (result.entities.get(name) ?? result.parts.get(name))?.columns ?? new Set()
}

/** Whether the text contains a word of the name: "Koło" for `Restaurant Koło`. */
function hasWordOf(text: string, name: string): boolean {
  return name.split(/[^\p{L}\p{N}]+/u).some(word => word.length >= 4 && word !== name && containsName(text, word))
}
