import { z } from 'zod'
import { ConfigurationError } from '../base/errors.ts'
import { readNamedFile } from '../base/file-reason.ts'
import { readYaml } from '../base/text/read-yaml.ts'
import { mistakesSentence } from '../base/text/shape-mistakes.ts'

const price = z.number().nonnegative()
const pricesSchema = z.record(z.string(), z.strictObject({ input: price, cached_input: price.optional(), output: price }))

/**
 * US dollars for a million tokens, by model. A name stands also for its dated versions (`gpt-5-mini-2025-08-07`). A name that ends
 * with `*` stands for all models that begin so.
 */
export type ModelPrices = z.infer<typeof pricesSchema>

/** List prices of November 2026 for prompts of ordinary length. Providers change them, so `CLEW_PRICES_FILE` replaces the table. */
export const LIST_PRICES: ModelPrices = {
  'gpt-4o': { input: 2.5, cached_input: 1.25, output: 10 },
  'gpt-4o-mini': { input: 0.15, cached_input: 0.075, output: 0.6 },
  'gpt-4.1': { input: 2, cached_input: 0.5, output: 8 },
  'gpt-4.1-mini': { input: 0.4, cached_input: 0.1, output: 1.6 },
  'gpt-5': { input: 1.25, cached_input: 0.125, output: 10 },
  'gpt-5-mini': { input: 0.25, cached_input: 0.025, output: 2 },
  'gpt-5-nano': { input: 0.05, cached_input: 0.005, output: 0.4 },
  'gpt-5.4': { input: 2.5, cached_input: 0.25, output: 15 },
  'gpt-5.4-mini': { input: 0.75, cached_input: 0.075, output: 4.5 },
  'gpt-5.4-nano': { input: 0.2, cached_input: 0.02, output: 1.25 },
  'gpt-5.5': { input: 5, cached_input: 0.5, output: 30 },
  'claude-haiku-4-5': { input: 1, cached_input: 0.1, output: 5 },
  'claude-sonnet-4-6': { input: 3, cached_input: 0.3, output: 15 },
  'claude-sonnet-5': { input: 2, cached_input: 0.2, output: 10 },
  'claude-opus-5': { input: 5, cached_input: 0.5, output: 25 },
}

/**
 * Reads the operator's prices, as YAML or JSON.
 * @throws ConfigurationError that lists each mistake with its line
 */
export function readPricesFile(path: string): ModelPrices {
  const read = readYaml(readNamedFile('CLEW_PRICES_FILE', path), pricesSchema)
  if (read.ok) return read.value
  throw new ConfigurationError(mistakesSentence(`${path} is wrong`, read.mistakes, 'docs/models.md tells what belongs into it.'))
}

interface UsedTokens {
  readonly inputTokens: number
  /** Those of `inputTokens` that the endpoint had in its cache. */
  readonly cachedTokens?: number
  readonly outputTokens: number
}

/**
 * Returns what a request has cost, in US dollars. Undefined if the prices are unknown.
 * @param names the model's names; the first one with a price counts
 */
export function costOf(
  { inputTokens, cachedTokens = 0, outputTokens }: UsedTokens,
  names: readonly string[],
  prices: ModelPrices,
): number | undefined {
  const found = names.flatMap(name => priceOf(name, prices) ?? [])[0]
  if (found === undefined) return undefined
  const { input, cached_input: cached = input, output } = found
  return roundCost(((inputTokens - cachedTokens) * input + cachedTokens * cached + outputTokens * output) / 1e6)
}

/** Removes the error of binary fractions, so that sums stay readable. */
export function roundCost(dollars: number): number {
  return Math.round(dollars * 1e9) / 1e9
}

const DATE = /[-@](?:\d{4}-\d{2}-\d{2}|\d{8})$/

function priceOf(model: string, prices: ModelPrices): ModelPrices[string] | undefined {
  const [begins] = Object.keys(prices)
    .filter(key => key.endsWith('*') && model.startsWith(key.slice(0, -1)))
    .sort((one, other) => other.length - one.length)
  const key = [model, model.replace(DATE, ''), begins ?? ''].find(each => Object.hasOwn(prices, each))
  return key === undefined ? undefined : prices[key]
}
