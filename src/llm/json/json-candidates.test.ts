import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { jsonCandidates } from './json-candidates.ts'

const value = { sql: "SELECT '}{\"' AS a", list: [{ a: 1 }, { b: '```' }] }
const json = JSON.stringify(value)

describe('jsonCandidates', () => {
  it.each([
    ['alone', json],
    ['after a byte-order mark', `\uFEFF${json}`],
    ['in a fence', `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``],
    ['in prose', `Here is what you asked for (see [the docs] {note}):\n${json}\nHope "this" helps }:-)`],
    ['after a lone bracket', `Options [or {none: ${json}`],
  ])('finds the object %s', (_, text) => {
    expect([...jsonCandidates(text)]).toContainEqual(value)
  })

  it('yields several in order', () => {
    expect([...jsonCandidates('<think>{"a":1} or {"b":2}</think> {"c":3}')]).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }])
  })

  it.each(['', 'none', '"text"', '12', 'null', '{oops}', '{"a": {"b": 1}, oops}'])('finds none in %j', text => {
    expect([...jsonCandidates(text)]).toEqual([])
  })

  it('never takes a part of an incomplete value', () => {
    const answer = fc.record({
      list: fc.array(fc.record({ q: fc.string(), n: fc.integer() }), { minLength: 1 }),
      note: fc.string(),
    })
    fc.assert(
      fc.property(answer, fc.nat(), fc.constantFrom('', 'Sure:\n', '```json\n'), (whole, at, before) => {
        const text = JSON.stringify(whole)
        const cut = text.slice(0, at % text.length)
        expect([...jsonCandidates(before + cut)]).toEqual([])
        expect([...jsonCandidates(before + text)]).toEqual([whole])
      }),
    )
  })

  it('stays fast on a text made to slow it down', () => {
    const started = performance.now()
    expect([...jsonCandidates('[x'.repeat(200_000))]).toEqual([])
    expect([...jsonCandidates('['.repeat(400_000))]).toEqual([])
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})
