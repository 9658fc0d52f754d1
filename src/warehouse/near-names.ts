import { CATALOG_ANSWER_LIMITS } from './limits.ts'

/**
 * Returns the candidates that an unknown name may mean, nearest first. Nearest are those that differ only in case, underscores or
 * plural. Next are those with all words of the name and more (`latency_ms` for `latency`), or only some of its words (`latency`
 * for `latency_ms`). Last are those with a few typing errors.
 * @param limit the maximum number of results
 */
export function nearNames(name: string, candidates: Iterable<string>, limit = 3): readonly string[] {
  const wanted = words(name)
  const near: { candidate: string; distance: number }[] = []
  for (const candidate of new Set(candidates)) {
    const distance = nameDistance(wanted, words(candidate))
    if (distance <= CATALOG_ANSWER_LIMITS.nearShare) near.push({ candidate, distance })
  }
  near.sort((left, right) => left.distance - right.distance || compareText(left.candidate, right.candidate))
  return near.slice(0, limit).map(({ candidate }) => candidate)
}

/** Returns the distance between two names, from 0 (the same words) to 1 (nothing in common). */
function nameDistance(left: readonly string[], right: readonly string[]): number {
  const [leftText, rightText] = [left.join(''), right.join('')]
  if (leftText === rightText) return 0
  const longest = Math.max(leftText.length, rightText.length)
  const [few, many] = left.length < right.length ? [left, right] : [right, left]
  const shared = few.filter(word => many.includes(word)).join('')
  if (shared !== '' && few.every(word => many.includes(word))) return 0.05 + 0.25 * (1 - shared.length / longest)
  const shortest = Math.min(leftText.length, rightText.length)
  const [short, long] = leftText.length < rightText.length ? [leftText, rightText] : [rightText, leftText]
  // A part of three letters is accepted at the beginning of the longer name. Elsewhere it must have four letters, because three
  // may match by chance.
  const isContained = (shortest >= 3 && long.startsWith(short)) || (shortest >= 4 && long.includes(short))
  if (isContained) return 0.05 + 0.3 * (1 - shortest / longest)
  if ((longest - shortest) / longest > CATALOG_ANSWER_LIMITS.nearShare) return 1
  return alignmentDistance(leftText, rightText) / longest
}

/** Splits a name into lower-case singular words: `dzLinks`, `DZ_LINK` and `dz-links` all become [dz, link]. */
function words(name: string): readonly string[] {
  return name
    .slice(0, CATALOG_ANSWER_LIMITS.comparedCharacters)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .map(singular)
}

function singular(word: string): string {
  if (word.length <= 3 || word.endsWith('ss') || word.endsWith('us')) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/**
 * Returns the number of insertions, deletions, substitutions and swaps of neighbouring letters between two texts (optimal string
 * alignment).
 */
export function alignmentDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1
      const isSwap = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      const swapped = isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY
      current.push(Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + cost, swapped))
    }
    beforeLast = last
    last = current
  }
  return at(last, right.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}

function compareText(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
