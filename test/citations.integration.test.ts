import { resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readCitationCases } from './support/citation-cases.ts'
import { caughtShare, describeErrors, describeRates, measureCitations, shareOf } from './support/citation-rates.ts'
import { describePairs, measurePairs } from './support/claim-pairs.ts'
import { sampleOf } from './support/whole.ts'

const TIMEOUT_MS = 120_000
/** The number of wrong variants of each kind per answer. The next number is for answers in files from the environment. */
const EACH = 2
const EACH_NAMED = 5
/** In answers with workings, at least this share of number words that were changed by one must be caught. */
const LEAST_WORDS = 0.6
/**
 * Answers that were used for tuning. The limits are the highest share of false alarms, and the lowest shares of caught changes: of figures and names,
 * and of reversed claims.
 */
const TUNED = [
  ['answers.jsonl', 'results.jsonl', 0.02, 0.94, 0.2],
  ['varied-answers.jsonl', 'varied-results.jsonl', 0.08, 0.9, 0.2],
  // These answers have workings for values that are in no cell.
  ['worked-answers.jsonl', 'unseen-results.jsonl', 0.05, 0.9, 0.2],
  // These answers have a working for each figure, as the prompt demands.
  ['cells-answers.jsonl', 'varied-results.jsonl', 0.02, 0.97, 0.9],
  ['cells-unseen-answers.jsonl', 'unseen-results.jsonl', 0.035, 0.95, 0.6],
  // Written by authors who saw only the prompt. They were used for tuning after their first measurement.
  ['hospital-answers.jsonl', 'hospital-results.jsonl', 0.02, 0.95, 0.78],
  ['bikes-answers.jsonl', 'bikes-results.jsonl', 0.025, 0.95, 0.78],
  ['airport-answers.jsonl', 'airport-results.jsonl', 0.02, 0.95, 0.85],
  ['winery-answers.jsonl', 'winery-results.jsonl', 0.02, 0.95, 0.85],
  ['vet-answers.jsonl', 'vet-results.jsonl', 0.02, 0.95, 0.8],
  ['ferry-answers.jsonl', 'ferry-results.jsonl', 0.02, 0.95, 0.7],
  ['steel-answers.jsonl', 'steel-results.jsonl', 0.02, 0.95, 0.7],
  ['ski-answers.jsonl', 'ski-results.jsonl', 0.02, 0.95, 0.7],
  ['library-answers.jsonl', 'library-results.jsonl', 0.02, 0.95, 0.65],
  ['garden-answers.jsonl', 'garden-results.jsonl', 0.02, 0.94, 0.7],
  ['cinema-answers.jsonl', 'cinema-results.jsonl', 0.02, 0.95, 0.8],
  ['parcel-answers.jsonl', 'parcel-results.jsonl', 0.02, 0.94, 0.65],
  ['charging-answers.jsonl', 'charging-results.jsonl', 0.02, 0.95, 0.6],
  ['wind-answers.jsonl', 'wind-results.jsonl', 0.02, 0.95, 0.65],
  ['pharmacy-answers.jsonl', 'pharmacy-results.jsonl', 0.02, 0.95, 0.75],
  ['waste-answers.jsonl', 'waste-results.jsonl', 0.02, 0.95, 0.65],
  ['spares-answers.jsonl', 'spares-results.jsonl', 0.02, 0.95, 0.7],
] as const
/** The form of the answers in each set. All sets that are not listed here were written by authors who saw only the prompt. */
const FORMS: Readonly<Record<string, string>> = {
  'answers.jsonl': 'no workings',
  'varied-answers.jsonl': 'no workings',
  'worked-answers.jsonl': 'some workings',
  'cells-answers.jsonl': 'all workings',
  'cells-unseen-answers.jsonl': 'all workings',
}
/** Answers that were not used for tuning, except every second unseen one. Their figures are printed without limits. */
const UNSEEN = [
  ['holdout-answers.jsonl', 'holdout-results.jsonl'],
  ['unseen-answers.jsonl', 'unseen-results.jsonl'],
] as const

/**
 * False sentences, each with a true one like it. The limits are the highest share of false ones that pass, and of true ones that are refused.
 */
const PAIRS = [
  ['hostile-pairs.jsonl', 'hostile-results.jsonl', 0.05, 0.02],
  // Not used for tuning.
  ['hostile-unseen-pairs.jsonl', 'hostile-unseen-results.jsonl', 0.15, 0.02],
] as const

/** Measures the error rates of the citation check, on realistic answers and many wrong variants of them. */
describe('citations over written answers', () => {
  it.each(sampleOf(TUNED, 9, ([answers]) => FORMS[answers] ?? 'by others'))(
    'accepts true answers and catches wrong ones: %s',
    (answers, results, mostAlarms, leastCaught, leastTurned) => {
      const rates = measureCitations(readCitationCases(answers, results), EACH)
      process.stdout.write(`${describeRates(`${answers} (tuned on)`, rates)}\n`)
      expect(rates.alarms.length / rates.units).toBeLessThan(mostAlarms)
      expect(caughtShare(rates)).toBeGreaterThan(leastCaught)
      expect(shareOf('claim turned', rates)).toBeGreaterThan(leastTurned)
      if (rates.kinds.has('number word')) expect(shareOf('number word', rates)).toBeGreaterThan(LEAST_WORDS)
    },
    TIMEOUT_MS,
  )

  it.each(sampleOf(UNSEEN, 2))(
    'reports the same for answers not used for tuning: %s',
    (answers, results) => {
      const rates = measureCitations(readCitationCases(answers, results), EACH)
      process.stdout.write(`${describeRates(`${answers} (not tuned on)`, rates)}\n`)
      expect(rates.units).toBeGreaterThan(40)
    },
    TIMEOUT_MS,
  )

  it.each(PAIRS)(
    'refuses false sentences and accepts the true ones beside them: %s',
    (pairs, results, mostPassed, mostRefused) => {
      const rates = measurePairs(pairs, results)
      process.stdout.write(`${describePairs(pairs, rates)}\n`)
      expect(rates.passed.length / rates.pairs).toBeLessThan(mostPassed)
      expect(rates.alarms.length / rates.pairs).toBeLessThan(mostRefused)
    },
  )

  const { CITATION_ANSWERS: answers, CITATION_RESULTS: results } = process.env
  if (answers && results)
    it(
      'reports on files from the environment',
      () => {
        const rates = measureCitations(readCitationCases(resolve(answers), resolve(results)), EACH_NAMED)
        process.stdout.write(`${describeErrors(rates)}\n${describeRates(answers, rates)}\n`)
        expect(rates.units).toBeGreaterThan(0)
      },
      TIMEOUT_MS,
    )
})
