import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { AnswerBudget } from './answer-budget.ts'
import { costOf, LIST_PRICES, readPricesFile } from './prices.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-prices-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MILLION = { inputTokens: 1_000_000, outputTokens: 1_000_000 }

function pricesIn(text: string) {
  const file = join(folder, 'prices')
  writeFileSync(file, text)
  return readPricesFile(file)
}

describe('the cost of a request', () => {
  it('is that of its input, its cached input and its output', () => {
    const tokens = { inputTokens: 1000, cachedTokens: 400, outputTokens: 100 }
    const prices = { m: { input: 1, cached_input: 0.5, output: 10 } }
    expect(costOf(tokens, ['m'], prices)).toBe(0.0018)
    expect(costOf(tokens, ['m'], { m: { input: 1, output: 10 } })).toBe(0.002)
  })

  it.each([
    ['gpt-5-mini', 2.25],
    ['gpt-5-mini-2025-08-07', 2.25],
    ['claude-haiku-4-5-20251001', 6],
    ['gpt-5', 11.25],
    ['gpt-5-pro', undefined],
    ['gpt-5-mini-eu', undefined],
    ['toString', undefined],
  ])('is known for %s: %s', (model, cost) => {
    expect(costOf(MILLION, [model], LIST_PRICES)).toBe(cost)
  })

  it('is that of the first name with a price, and of the longest beginning', () => {
    const prices = { 'big*': { input: 1, output: 1 }, 'big-er*': { input: 2, output: 2 }, 'big-er-one': { input: 3, output: 3 } }
    const costs = [['big-er-one'], ['big-er-two'], ['bigger'], ['small', 'big'], ['small']].map(names =>
      costOf(MILLION, names, prices),
    )
    expect(costs).toEqual([6, 4, 2, 2, undefined])
  })

  it('of an answer is unknown if the cost of a part is, but not for a part without tokens', () => {
    const used = { model: 'm', temperature: undefined, inputTokens: 1, outputTokens: 1, estimated: false }
    const costOfAll = (...parts: readonly object[]) => {
      const budget = new AnswerBudget()
      for (const part of parts) budget.add({ ...used, ...part })
      return budget.spending?.cost
    }
    const nothing = { inputTokens: 0, outputTokens: 0 }
    expect(costOfAll({ cost: 0.1 }, { cost: 0.2 })).toBe(0.3)
    expect([costOfAll({ cost: 0.1 }, {}), costOfAll({}, { cost: 0.1 }), costOfAll({}, nothing)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([costOfAll(nothing, { cost: 0.1 }), costOfAll({ cost: 0.1 }, nothing), costOfAll(nothing)]).toEqual([
      0.1,
      0.1,
      undefined,
    ])
  })
})

describe('a file of prices', () => {
  it('is YAML or JSON', () => {
    const price = { 'local*': { input: 0, output: 0.5 } }
    expect(pricesIn('"local*": { input: 0, output: 0.5 }')).toEqual(price)
    expect(pricesIn(JSON.stringify(price))).toEqual(price)
  })

  it('with mistakes is refused, with their lines and keys', () => {
    expect(() => pricesIn('a: { input: 1 }\nb: { input: cheap, output: -1, cached: 2 }')).toThrow(
      /line 1: a\.output is missing\n- line 2: b\.input must be a number\n- line 2: b\.output must be 0 or more\n- line 2: b\.cached is not a known key/,
    )
    expect(() => readPricesFile('/nowhere.yaml')).toThrow('CLEW_PRICES_FILE is /nowhere.yaml, which cannot be read')
  })
})
