/** Capitalized words that are not names in the data, such as months. */
const COMMON =
  /^(?:I|UTC|GMT|NULL|SQL|January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/
/** Matches numbers with units, dates, times, ordinals, percentiles and quarters. They are not names. */
const FIGURE = /^[+-]?\d[\d.,:/–-]*(?:\p{L}{0,4}|T[\d:.]+Z?)$|^p\d+$|^Q\d+$/iu

/**
 * Finds names in an answer that the model never read. A name is a text in backticks, a code (with a digit, an underscore or an
 * inner capital), or a capitalized word inside a sentence. The search is rough: in German, for example, every noun is
 * capitalized. So a person must check the result.
 * @param shown everything that the model read before it wrote the answer
 */
export function unseenNames(answer: string, shown: string): readonly string[] {
  const known = plain(shown)
  const prose = answer.replace(/\[[^[\]]*\]\([^)]{0,300}\)|\[Q\d+(?:, ?Q\d+)*\]/g, ' ')
  const names = [...quoted(prose), ...codes(prose), ...capitalised(prose)]
  return [...new Set(names)].filter(name => !COMMON.test(name) && !FIGURE.test(name) && !known.includes(plain(name)))
}

function quoted(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name.trim())
}

function codes(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}]+(?:[-_.:/@][\p{L}\p{N}]+)*/gu) ?? []
  return words.filter(word => /\p{L}/u.test(word) && (/[\d_]/.test(word) || /\p{Ll}\p{Lu}/u.test(word)))
}

/**
 * Returns capitalized words that follow a small letter, a figure, a comma or a bracket. Such a word does not begin a sentence or
 * a table cell, so its capital suggests a name.
 */
function capitalised(text: string): readonly string[] {
  return [...text.matchAll(/(?<=[\p{Ll}\d,)] )\p{Lu}\p{Ll}[\p{L}'’-]*/gu)].map(([word]) => word.replace(/['’]s$/, ''))
}

function plain(text: string): string {
  return text
    .replace(/[\\*`]/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
}
