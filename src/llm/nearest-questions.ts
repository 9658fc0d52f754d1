/** This many questions are offered. */
const OFFERED = 3
/** Words with these first letters in common are the same, also in English and German: "validators" and "Validatoren". */
const STEM_CHARACTERS = 5

/**
 * Returns the questions that share the most words with a question, the nearest first. A word counts less, the more of the
 * questions have it. Returns the first questions if none shares a word.
 */
export function nearestQuestions(question: string, questions: readonly string[]): readonly string[] {
  const known = questions.map(text => ({ text, stems: stemsOf(text) }))
  const weights = [...stemsOf(question)].map(stem => ({ stem, weight: 1 / known.filter(({ stems }) => stems.has(stem)).length }))
  const rated = known.map(({ text, stems }) => ({
    text,
    rating: weights.reduce((sum, { stem, weight }) => (stems.has(stem) ? sum + weight : sum), 0),
  }))
  const near = rated.filter(({ rating }) => rating > 0).sort((left, right) => right.rating - left.rating)
  return (near.length > 0 ? near : rated).slice(0, OFFERED).map(({ text }) => text)
}

/** Words of less than four letters, such as "the" and "und", stand in too many questions. */
function stemsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}{4,}|\d+/gu) ?? []
  return new Set(words.map(word => word.slice(0, STEM_CHARACTERS)))
}
