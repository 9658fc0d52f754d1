import { describe, expect, it } from '@jest/globals'
import { alterations, type CitationCase, checkAnswer, isCaught, readCitationCases, seeded } from './support/citation-cases.ts'

/** Error rates of the citation check, over answers as an analyst or a model writes them, and over many wrong variants of each. */
describe('citations over written answers', () => {
  it('lets true answers pass and catches wrong ones', () => {
    const rates = measure(readCitationCases('answers.jsonl', 'results.jsonl'), 8)
    report('tuned on', rates)
    expect(rates.falseAlarms / rates.units).toBeLessThan(0.02)
    expect(caughtShare(rates)).toBeGreaterThan(0.95)
  })

  it('reports the same of answers that it was not tuned on', () => {
    const rates = measure(readCitationCases('holdout-answers.jsonl', 'holdout-results.jsonl'), 8)
    report('held out', rates)
    expect(rates.units).toBeGreaterThan(40)
  })
})

interface Rates {
  units: number
  falseAlarms: number
  readonly kinds: Map<string, { caught: number; tried: number }>
}

function measure(cases: readonly CitationCase[], each: number): Rates {
  const rates: Rates = { units: 0, falseAlarms: 0, kinds: new Map() }
  for (const [index, given] of cases.entries()) {
    const checked = checkAnswer(given.answer, given)
    rates.units += checked.filter(({ unit }) => unit.trim() !== '').length
    const alarms = checked.filter(({ verdict }) => verdict.kind === 'unsupported').length
    rates.falseAlarms += alarms
    if (alarms > 0) continue
    for (const { kind, answer } of alterations(given, seeded(index + 1), each)) {
      const counts = rates.kinds.get(kind) ?? { caught: 0, tried: 0 }
      counts.tried += 1
      if (isCaught(answer, given)) counts.caught += 1
      rates.kinds.set(kind, counts)
    }
  }
  return rates
}

function caughtShare(rates: Rates): number {
  const all = [...rates.kinds.values()]
  return all.reduce((sum, kind) => sum + kind.caught, 0) / all.reduce((sum, kind) => sum + kind.tried, 0)
}

function report(set: string, rates: Rates): void {
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
  const kinds = [...rates.kinds].map(([kind, { caught, tried }]) => `${kind} ${percent(caught, tried)} of ${tried}`)
  const lines = [
    `citations, answers ${set}: false alarms ${percent(rates.falseAlarms, rates.units)} of ${rates.units} units`,
    `  caught ${percent(caughtShare(rates), 1)}: ${kinds.join(', ')}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
