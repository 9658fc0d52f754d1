import { Writable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import stringWidth from 'string-width'
import type { RunEvent } from '../../agent/run/event.ts'
import { TerminalProgress } from './progress.ts'
import { terminalStyle } from './style.ts'

const planned = (id: string, question: string): RunEvent => ({ kind: 'data_question_planned', id, question })
const started = (step: string): RunEvent => ({ kind: 'step_started', step, attempt: 1 })

function open(inPlace: boolean, width = 40) {
  const written: string[] = []
  const output = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk))
      done()
    },
  })
  return { written, progress: new TerminalProgress({ output, inPlace, style: terminalStyle(false), width }) }
}

describe('TerminalProgress in place', () => {
  it('moves up by the lines it wrote, and removes them all at the end', () => {
    const { written, progress } = open(true)
    progress.observe(started('classify'))
    progress.observe(planned('Q1', 'How many?'))
    progress.observe(planned('Q1', 'How many?'))
    progress.clear()
    progress.clear()
    expect(written).toEqual([
      'Reading the question …\n',
      '\u001b[1A\u001b[0J',
      'Reading the question …\nQ1 How many? (writing SQL)\n',
      '\u001b[2A\u001b[0J',
    ])
  })

  it.each([['表格'.repeat(40)], ['👩‍👩‍👧 '.repeat(40)], ['plain '.repeat(40)]])(
    'prevents wrapped lines, which it could not remove: %s',
    question => {
      const { written, progress } = open(true)
      progress.observe(planned('Q1', question))
      const lines = (written.at(-1) ?? '').split('\n')
      expect(Math.max(...lines.map(line => stringWidth(line)))).toBeLessThan(40)
      expect(stringWidth(lines[1] ?? '')).toBeGreaterThan(30)
      expect(lines[1]).toMatch(/… \(writing SQL\)$/)
      expect(lines[1]).not.toMatch(/\p{Cs}/u)
    },
  )

  it('pauses for a question, and returns with the current state', () => {
    const { written, progress } = open(true)
    progress.observe(started('classify'))
    progress.pause()
    progress.observe(started('decompose'))
    progress.resume()
    expect(written).toEqual(['Reading the question …\n', '\u001b[1A\u001b[0J', 'Planning what to look up …\n'])
  })

  it('writes nothing that could move the cursor elsewhere', () => {
    const { written, progress } = open(true)
    progress.observe(planned('Q1', 'a\u001b[2Jb\r\nc\u009b1A'))
    expect(written.at(-1)).toBe('Thinking …\nQ1 a[2Jb c1A (writing SQL)\n')
  })
})

describe('TerminalProgress without a terminal', () => {
  it('writes each new line once, without control sequences', () => {
    const { written, progress } = open(false)
    progress.observe(started('classify'))
    progress.observe(planned('Q1', 'How many?'))
    progress.observe(started('generate'))
    progress.observe(started('classify'))
    progress.clear()
    expect(written).toEqual(['Reading the question …\n', 'Q1 How many? (writing SQL)\n', 'Writing SQL …\n'])
  })
})
