import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { EventStream } from './event-stream.ts'

function read(pieces: readonly Uint8Array[]): { readonly events: readonly string[]; readonly isDone: boolean } {
  const stream = new EventStream()
  const events = pieces.flatMap(piece => stream.add(piece))
  return { events, isDone: stream.isDone }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const readWhole = (text: string) => read([bytesOf(text)])

describe('a stream of events', () => {
  it('holds the data of whole events, and neither comments nor other fields', () => {
    const text = ': still here\n\nevent: message\nid: 7\ndata: {"a":1}\n\ndata:two\ndata:  lines\n\nretry: 1\n\ndata: cut off\n'
    expect(readWhole(text)).toEqual({ events: ['{"a":1}', 'two\n lines'], isDone: false })
  })

  it('ends with [DONE], also when its line is not ended', () => {
    expect(readWhole('data: a\n\ndata: [DONE]\n\ndata: b\n\n')).toEqual({ events: ['a'], isDone: true })
    expect(readWhole('data: a\n\ndata:[DONE]')).toEqual({ events: ['a'], isDone: true })
    expect(readWhole('data: a\n\ndata: "[DONE]"\n\n')).toEqual({ events: ['a', '"[DONE]"'], isDone: false })
  })

  it('counts its lines, and the characters of the event that is not complete', () => {
    const stream = new EventStream()
    stream.add(bytesOf(`\n\n: a\ndata: ${'x'.repeat(100)}\ndata: ${'y'.repeat(50)}`))
    expect(stream.lines).toBe(4)
    expect(stream.pendingCharacters).toBe(162)
    stream.add(bytesOf('\n\n'))
    expect(stream.lines).toBe(6)
    expect(stream.pendingCharacters).toBe(0)
  })

  it.each(['\n', '\r\n', '\r'])('has the same events with %j at the end of lines, however its bytes are split', end => {
    const text = 'data: grün 🙂\n\n: comment\n\ndata: two\ndata: lines\n\ndata: [DONE]\n\n'.replaceAll('\n', end)
    const bytes = bytesOf(text)
    const whole = { events: ['grün 🙂', 'two\nlines'], isDone: true }
    expect(read([...bytes].map(byte => Uint8Array.of(byte)))).toEqual(whole)
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length })), cuts => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
        expect(read(places.slice(1).map((place, index) => bytes.subarray(places[index], place)))).toEqual(whole)
      }),
    )
  })
})
