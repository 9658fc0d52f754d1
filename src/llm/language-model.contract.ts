import { afterEach, describe, expect, it } from '@jest/globals'
import { AnswerBudget } from './answer-budget.ts'
import { ModelError } from './error.ts'
import type { LanguageModel, ModelEvent, ModelRequest } from './language-model.ts'

export interface LanguageModelHarness {
  readonly model: LanguageModel
  close(): Promise<void>
}

const ANSWERS = { respond: 'Zürich leads: 1 234 links, “Łódź” follows. 🧶', classify: '{"intent":"data_analysis"}' } as const
const respond: ModelRequest = { step: 'respond', messages: [{ role: 'user', content: 'hello' }] }

/**
 * Registers the tests that every LanguageModel must pass.
 * @param start returns a model with exactly these answers to the messages "hello" and "which intent?"
 * @param options.countsTokens false for a model that uses no tokens
 */
export function describeLanguageModel(
  name: string,
  start: (answers: typeof ANSWERS) => Promise<LanguageModelHarness>,
  { countsTokens }: { readonly countsTokens: boolean } = { countsTokens: true },
): void {
  describe(`${name} as a LanguageModel`, () => {
    const harnesses: LanguageModelHarness[] = []
    const open = async () => {
      const harness = await start(ANSWERS)
      harnesses.push(harness)
      return harness.model
    }
    afterEach(async () => {
      for (const harness of harnesses.splice(0)) await harness.close()
    })

    it('streams text in pieces that form the completed text, completed last and once', async () => {
      const events = await collect((await open()).stream(respond, new AbortController().signal))
      expect(events.filter(event => event.kind === 'completed')).toHaveLength(1)
      const last = events.at(-1)
      expect(last).toMatchObject({ kind: 'completed', completion: { text: ANSWERS.respond } })
      expect(textSinceRestart(events)).toBe(ANSWERS.respond)
    })

    it('counts tokens', async () => {
      const budget = new AnswerBudget()
      await collect((await open()).stream({ ...respond, budget }, new AbortController().signal))
      const { inputTokens = 0, outputTokens = 0, model } = budget.spending ?? {}
      expect(model).toMatch(/./)
      expect([inputTokens, outputTokens].map(count => count > 0)).toEqual([countsTokens, countsTokens])
    })

    it('serves concurrent calls', async () => {
      const model = await open()
      const { signal } = new AbortController()
      const classify: ModelRequest = { step: 'classify', messages: [{ role: 'user', content: 'which intent?' }] }
      const all = await Promise.all([respond, classify, respond].map(request => collect(model.stream(request, signal))))
      expect(all.map(textSinceRestart)).toEqual([ANSWERS.respond, ANSWERS.classify, ANSWERS.respond])
    })

    it('throws a cancelled ModelError if the signal is already aborted', async () => {
      const model = await open()
      await expect(collect(model.stream(respond, AbortSignal.abort()))).rejects.toMatchObject({
        name: 'ModelError',
        kind: 'cancelled',
      })
    })

    it('throws a cancelled ModelError when aborted in the middle', async () => {
      const model = await open()
      const controller = new AbortController()
      const heard: ModelEvent[] = []
      const run = async () => {
        for await (const event of model.stream(respond, controller.signal)) {
          heard.push(event)
          controller.abort()
        }
      }
      const error = await run().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ModelError)
      expect(error).toMatchObject({ kind: 'cancelled', retryable: false })
      expect(heard.every(event => event.kind === 'text')).toBe(true)
    })

    it('works again after a stream was left early', async () => {
      const model = await open()
      const { signal } = new AbortController()
      for await (const event of model.stream(respond, signal)) {
        if (event.kind === 'text') break
      }
      expect(textSinceRestart(await collect(model.stream(respond, signal)))).toBe(ANSWERS.respond)
    })
  })
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Returns the final text, which is the text after the last restart. */
export function textSinceRestart(events: readonly ModelEvent[]): string {
  return events.reduce((text, event) => (event.kind === 'text' ? text + event.text : event.kind === 'restarted' ? '' : text), '')
}
