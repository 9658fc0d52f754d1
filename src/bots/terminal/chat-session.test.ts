import { PassThrough, Writable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import type { AnalystAnswer, Question } from '../../agent/analyst.ts'
import { type Interrupt, interruptMarkdown } from '../../agent/ask-back/interrupt.ts'
import { OpenQuestions } from '../../agent/ask-back/open-questions.ts'
import { RunError } from '../../agent/run/error.ts'
import type { RunResult } from '../../agent/run/result.ts'
import { NoRecordingError } from '../../llm/no-recording-error.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { ChatSession } from './chat-session.ts'
import { terminalStyle } from './style.ts'

const { signal } = new AbortController()
const clarification: Interrupt = {
  kind: 'need_clarification',
  question: 'Which shop?',
  choices: ['Berlin', 'Oslo'].map(words => ({ value: words, label: words })),
}
const confirmation: Interrupt = {
  kind: 'need_confirm',
  question: 'Q1 would read much.',
  choices: [
    { value: 'run', label: 'Run it' },
    { value: 'stop', label: 'Stop' },
  ],
}
const steps = [{ step: 'confirm', query: 'Q1', attempt: 1 }]

/**
 * Runs a conversation with these input lines. At each line that is a key of `asksBack`, Clew asks a question back. @returns the questions that
 * reached the analyst, and the output
 */
async function converse(lines: readonly string[], asksBack: Readonly<Record<string, Interrupt>>, ended = signal) {
  const asked: Question[] = []
  const analyst = {
    async ask(question: Question): Promise<AnalystAnswer> {
      asked.push(question)
      if (question.text.startsWith('ETL')) {
        question.observe?.({ kind: 'question_understood', question: question.text, language: 'de' })
        throw RunError.crashed()
      }
      if (question.text.startsWith('Wie')) throw new NoRecordingError(['How many links?'])
      const interrupt = asksBack[question.text] ?? null
      const answer = interrupt === null ? 'Sixty.' : interruptMarkdown(interrupt)
      return {
        result: resultOf(question, answer, interrupt),
        waiting: interrupt === confirmation ? steps : [],
        afterwards: async () => {},
      }
    },
  }
  let shown = ''
  const output = new Writable({
    write(chunk, _encoding, done) {
      shown += String(chunk)
      done()
    },
  }) as NodeJS.WriteStream
  const input = new PassThrough()
  input.end(lines.map(line => `${line}\n`).join(''))
  const questions = new OpenQuestions({ store: createMemoryStateStore({ now: Date.now }), now: Date.now })
  const view = { style: terminalStyle(false), width: 80, wraps: false }
  await new ChatSession({
    analyst,
    questions,
    formatSql: async sql => sql,
    input,
    output,
    view,
    language: 'en',
    thread: 't',
  }).run(ended)
  return { asked, shown }
}

function resultOf({ runId, text }: Question, answer: string, interrupt: Interrupt | null): RunResult {
  return {
    run_id: runId,
    intent: 'data_analysis',
    standalone_question: text,
    answer,
    language: 'en',
    confidence: null,
    confidence_reason: null,
    note: '',
    interrupt,
    queries: [],
    chart: null,
    citations: null,
    figures: [],
    draft: null,
    steps: [],
  }
}

describe('a conversation at the terminal', () => {
  it('passes on an investigation, but no other unknown command', async () => {
    const { asked, shown } = await converse(['/lineage orders why?', '/lineages orders'], {})
    expect(asked.map(({ text }) => text)).toEqual(['/lineage orders why?'])
    expect(shown).toContain('There is no /lineages.')
  })

  it('explains how to start an investigation', async () => {
    const { asked, shown } = await converse(['/lineage'], {})
    expect(asked).toEqual([])
    expect(shown).toContain('/lineage JOB')
  })

  it('does not start if its signal is already aborted', async () => {
    expect(await converse(['How much?'], {}, AbortSignal.abort())).toEqual({ asked: [], shown: '' })
  })
})

it('says at the terminal where reports and alerts can be set up', async () => {
  const { asked, shown } = await converse(['/subscriptions', '/subscriptions pause sub_1'], {})
  expect(asked).toEqual([])
  expect(shown.replace(/\s+/g, ' ')).toContain('Reports and alerts are set up in Slack or Discord')
})

it('a German question at the terminal fails in German', async () => {
  const { shown } = await converse(['ETL?'], {})
  expect(shown).toContain('Ich überlege …')
  expect(shown).toContain('Mein Prozess ist an dieser Frage gescheitert')
  expect(shown).not.toMatch(/process ended|Thinking/)
})

it('a question without a recorded answer gets other questions once, in its language', async () => {
  const { shown } = await converse(['Wie viele Router sind es?'], {})
  expect(shown.match(/How many links\?/g)).toHaveLength(1)
  expect(shown).toContain('Diese Demo hat kein Modell.')
  expect(shown).not.toContain('This demo')
})

describe('a question from Clew at the terminal', () => {
  it('is shown with numbers, and a number stands for the words of its choice', async () => {
    const { asked, shown } = await converse(['How much?', '2', '2'], { 'How much?': clarification })
    expect(shown).toContain('Which shop?\n\n1. Berlin\n2. Oslo\n')
    expect(asked.map(({ text }) => text)).toEqual(['How much?', 'Oslo', '2'])
  })

  it('about cost makes the run wait, and the answer resumes it', async () => {
    const { asked } = await converse(['How much?', 'yes'], { 'How much?': confirmation })
    const [first, second] = asked
    expect(second).toMatchObject({ runId: first?.runId, choice: { value: 'run', steps } })
  })

  it('is dropped by a new conversation, and by another question', async () => {
    const { asked } = await converse(['How much?', '/new', 'yes', 'How much?', 'How many?', 'yes'], { 'How much?': confirmation })
    expect(new Set(asked.map(({ runId }) => runId)).size).toBe(5)
    expect(asked.every(({ choice }) => choice === undefined)).toBe(true)
  })
})
