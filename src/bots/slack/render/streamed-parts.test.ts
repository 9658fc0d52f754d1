import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { SentenceSplitter } from '../../../agent/write/sentence-splitter.ts'
import { withoutBraces } from '../../../answer-check/formulas/braces.ts'
import { ChatProgress } from '../../actions/chat-progress.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { streamedParts } from './streamed-parts.ts'

const parts = (answer: string) => streamedParts(answer, { allowedLinkHosts: [] })
const texts = (answer: string) => parts(answer).map(({ text }) => text)

/** Grows the answer step by step, as the citation check would release it. Returns the streamed parts after each step. */
function growth(answer: string): (readonly string[])[] {
  const splitter = new SentenceSplitter()
  const progress = new ChatProgress()
  let markdown = ''
  return [...splitter.add(answer), ...splitter.end()].map(unit => {
    markdown += unit
    progress.observe({ kind: 'answer_grown', markdown })
    return parts(progress.progress().answer ?? '').map(part => JSON.stringify(part))
  })
}

function answersOf(file: string): readonly string[] {
  const schema = z.object({ a: z.string() })
  const lines = readFileSync(new URL(`../../../../test/cases/citations/${file}`, import.meta.url), 'utf8').split('\n')
  return lines.filter(line => line !== '').map(line => withoutBraces(schema.parse(JSON.parse(line)).a))
}

describe('the streamed parts of an answer', () => {
  it('are complete sentences, items and code, and tables after their end', () => {
    expect(texts('**One** is 1.5 ms [Q1]. Two. [Q1] 3 is three.')).toEqual(['One is 1.5 ms [Q1].', 'Two. [Q1]', '3 is three.'])
    expect(texts('Top:\n\n- one\n- two\n')).toEqual(['Top:', '• one', '• two'])
    expect(texts('Top:\n\n- one\n- tw')).toEqual(['Top:', '• one'])
    const table = '| a |\n| --- |\n| 1 |\n'
    expect(texts(`Here.\n\n${table}`)).toEqual(['Here.'])
    expect(texts(`Here.\n\n${table}\nBelow.`)).toEqual(['Here.', 'a\n1', 'Below.'])
    expect(texts('Here.\n\n## Next\n\n')).toEqual(['Here.'])
    expect(texts('')).toEqual([])
  })

  it.each(['airport-answers.jsonl', 'hospital-answers.jsonl'])('do not change while the answer grows: %s', file => {
    const answers = answersOf(file)
    expect(answers.length).toBeGreaterThanOrEqual(20)
    for (const answer of answers) {
      const [first = [], ...later] = growth(answer)
      let before = first
      for (const now of later) {
        expect(now.slice(0, before.length)).toEqual(before)
        before = now
      }
    }
  })

  it('fit one message', () => {
    expect(parts('Word. '.repeat(1_000))).toHaveLength(SLACK_LIMITS.blocks)
    const long = parts(`${'x'.repeat(150)}. `.repeat(40))
    expect(long.length).toBeGreaterThan(20)
    expect(long.map(({ text }) => text).join('\n\n').length).toBeLessThanOrEqual(SLACK_LIMITS.text)
  })
})
