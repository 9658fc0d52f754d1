import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readCitationCases } from './support/citation-cases.ts'
import { caughtShare, describeErrors, describeRates, measureCitations } from './support/citation-rates.ts'

/** Wrong variants of each kind that are tried of each answer. */
const EACH = 8
/** Answers that the check was tuned on: the bounds hold there. */
const TUNED = [['answers.jsonl', 'results.jsonl']] as const
/** Answers that nobody tuned on; what is measured is printed, and bounds nothing. */
const UNSEEN = [
  ['holdout-answers.jsonl', 'holdout-results.jsonl'],
  ['varied-answers.jsonl', 'varied-results.jsonl'],
] as const

/** Error rates of the citation check, over answers as an analyst or a model writes them, and over many wrong variants of each. */
describe('citations over written answers', () => {
  it.each(TUNED)('lets true answers pass and catches wrong ones: %s', (answers, results) => {
    const rates = measureCitations(readCitationCases(answers, results), EACH)
    process.stdout.write(`${describeRates(`${answers} (tuned on)`, rates)}\n`)
    expect(rates.alarms.length / rates.units).toBeLessThan(0.02)
    expect(caughtShare(rates)).toBeGreaterThan(0.95)
  })

  it.each(UNSEEN)('reports the same of answers that it was not tuned on: %s', (answers, results) => {
    const rates = measureCitations(readCitationCases(answers, results), EACH)
    process.stdout.write(`${describeRates(`${answers} (not tuned on)`, rates)}\n`)
    expect(rates.units).toBeGreaterThan(40)
  })

  const { CITATION_ANSWERS: answers, CITATION_RESULTS: results } = process.env
  if (answers && results)
    it('reports what it makes of the files that the environment names', () => {
      const rates = measureCitations(readCitationCases(resolve(answers), resolve(results)), EACH)
      process.stdout.write(`${describeErrors(rates)}\n${describeRates(answers, rates)}\n`)
      expect(rates.units).toBeGreaterThan(0)
    })
})
