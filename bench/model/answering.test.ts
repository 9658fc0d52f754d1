import { expect, test } from '@jest/globals'
import { sendAnswer } from './answering.ts'
import { chatBodySchema } from './chat-body.ts'
import { chunksOf } from './chunks.ts'
import type { Clock } from './clock.ts'
import { MODEL_PRESETS, type PresetName } from './presets.ts'

/** Returns a clock that moves only when the test moves it. */
function standingClock() {
  let time = 0
  const waiting: { readonly due: number; readonly run: () => void }[] = []
  const clock: Clock = {
    now: () => time,
    at(due, run) {
      const entry = { due, run }
      waiting.push(entry)
      return () => void (waiting.includes(entry) && waiting.splice(waiting.indexOf(entry), 1))
    },
  }
  const next = () => [...waiting].sort((first, second) => first.due - second.due)[0]
  return {
    clock,
    /** Runs all functions that are due until `end`. Each runs at its time, or `lateBy` later. */
    runUntil(end: number, lateBy = 0) {
      for (let entry = next(); entry !== undefined && entry.due + lateBy <= end; entry = next()) {
        waiting.splice(waiting.indexOf(entry), 1)
        time = Math.max(time, entry.due + lateBy)
        entry.run()
      }
      time = end
    },
  }
}

const body = chatBodySchema.parse({ model: 'any', messages: [], stream: true, stream_options: { include_usage: true } })
const text = 'One two three four five six seven eight nine ten.'

function send(preset: PresetName, options: { readonly isStreamed?: boolean; readonly uncachedTokens?: number } = {}) {
  const chunks = chunksOf(1, body, { kind: 'text', text }, { promptTokens: 5, cachedTokens: 0 })
  const own = standingClock()
  const written: { readonly at: number; readonly text: string }[] = []
  const keep = (piece: string) => void written.push({ at: own.clock.now(), text: piece })
  let ended: number | undefined
  const cancel = sendAnswer(
    {
      write: keep,
      end: piece => {
        keep(piece)
        ended = own.clock.now()
      },
    },
    {
      clock: own.clock,
      preset: MODEL_PRESETS[preset],
      chunks,
      isStreamed: options.isStreamed ?? true,
      uncachedTokens: options.uncachedTokens ?? 0,
      startedAt: 0,
      onProgress: () => {},
    },
  )
  const tokens = chunks.tokens.length
  return { own, written, cancel, tokens, ended: () => ended, all: () => written.map(each => each.text).join('') }
}

test('the first token comes after its delay and that of uncached tokens, each further one at its own time', () => {
  const { own, written, tokens, ended } = send('mini', { uncachedTokens: 1000 })
  own.runUntil(60_000)
  expect(written.map(({ at }) => at)).toEqual(Array.from({ length: tokens }, (_, index) => 530 + index * 12.5))
  expect(ended()).toBe(530 + (tokens - 1) * 12.5)
})

test('late timers delay tokens, but neither later tokens nor the end', () => {
  const punctual = send('fast')
  const late = send('fast')
  punctual.own.runUntil(60_000)
  late.own.runUntil(60_000, 5)
  expect((late.ended() ?? 0) - (punctual.ended() ?? 0)).toBeCloseTo(5)
  expect(late.all()).toBe(punctual.all())
})

test('overdue tokens are sent together, as separate events', () => {
  const { own, written, tokens, all } = send('mini')
  own.runUntil(60_000, 10_000)
  expect(written).toHaveLength(1)
  expect(all().match(/"delta":\{(?:"role":"assistant",)?"content"/g)).toHaveLength(tokens)
  expect(all()).toMatch(/"prompt_tokens":5.*\n\ndata: \[DONE\]\n\n$/s)
})

test('without streaming, the answer comes whole with its last token', () => {
  const { own, written, tokens } = send('mini', { isStreamed: false })
  own.runUntil(60_000)
  expect(written).toHaveLength(1)
  expect(written[0]?.at).toBe(500 + (tokens - 1) * 12.5)
  expect(JSON.parse(written[0]?.text ?? '')).toMatchObject({ choices: [{ message: { content: text } }] })
})

test('an asker that leaves receives nothing more', () => {
  const { own, written, cancel } = send('mini')
  own.runUntil(520)
  cancel()
  const before = written.length
  own.runUntil(60_000)
  expect(before).toBeGreaterThan(0)
  expect(written).toHaveLength(before)
})
