import type { ChartRequest } from '../../src/charts/chart-request.ts'
import type { ScriptedCall } from '../emulators/model/model-script.ts'

/** The scripted replies of a model to one question, for each step. */
export interface ScriptedQuestion {
  readonly intent?: string
  readonly language?: string
  /** The question as the step classify rewrites it. The steps decompose and synthesize find their replies by it. */
  readonly standalone?: string
  readonly reply?: string
  readonly table?: string
  /** A question that the model asks back, instead of making a plan. */
  readonly clarification?: { readonly question: string; readonly choices: readonly string[] }
  /** The SQL for each data question, one text per attempt. Further attempts get the last text again. */
  readonly queries?: Readonly<Record<string, readonly string[]>>
  readonly answer?: string
  /** The chart that the model asks for. */
  readonly chart?: ChartRequest
}

/** Returns a model that replies from a book of questions. For an unknown question, the call fails, and so does the test. */
export function scriptedAnalyst(book: Readonly<Record<string, ScriptedQuestion>>): (call: ScriptedCall) => string | object {
  const find = (asked: string) => {
    const found = Object.entries(book).find(([question, script]) => question === asked || script.standalone === asked)
    if (found === undefined) throw new Error(`no script for: ${asked}`)
    return { standalone: found[1].standalone ?? found[0], script: found[1] }
  }
  return call => {
    const prompt = promptOf(call)
    switch (call.step) {
      case 'classify': {
        const { script, standalone } = find(fenced(prompt, 'question'))
        return {
          intent: script.intent ?? 'data_analysis',
          language: script.language ?? null,
          standalone_question: standalone,
          catalog_request: script.intent === 'catalog' ? (script.table === undefined ? 'list' : 'describe') : null,
          table: script.table ?? null,
          reply: script.reply ?? null,
        }
      }
      case 'decompose': {
        const { script } = find(fenced(prompt, 'question'))
        const questions = Object.keys(script.queries ?? {}).map(question => ({ question, rationale: 'needed' }))
        return { data_questions: questions, clarification: script.clarification ?? null, error: null }
      }
      case 'generate': {
        const { script } = find(fenced(prompt, 'question'))
        const { queries = {} } = script
        // SQL that is drafted before the plan belongs to the whole question, not to a data question. In that case, the first SQL of the question
        // is used.
        const attempts = queries[fenced(prompt, 'data question')] ?? Object.values(queries)[0] ?? []
        const failed = prompt.match(/^Attempt \d+:$/gm)?.length ?? 0
        return {
          sql: attempts[Math.min(failed, attempts.length - 1)] ?? '',
          explanation: 'Looks it up.',
          assumptions: [],
          chart: script.chart ?? null,
        }
      }
      case 'review_empty':
        return { verdict: 'expected', reason: 'There is none.', suggestion: null }
      case 'synthesize':
        return find(fenced(prompt, 'question')).script.answer ?? 'Done [Q1].'
      default:
        return 'They talked about the network.'
    }
  }
}

/** Returns the whole text that the model gets, with the system message. */
export function promptOf(call: ScriptedCall): string {
  return call.body.messages.map(message => String(message.content)).join('\n\n')
}

/** Returns the text in a prompt between the tags with this label. The last release writes longer tags. If there are several such texts, returns the last. */
export function fenced(prompt: string, label: string): string {
  const found = [...prompt.matchAll(new RegExp(`<(data-[0-9a-f]{16,24}) of="${label}">\\n([\\s\\S]*?)\\n</\\1>`, 'g'))]
  return found.at(-1)?.[2] ?? ''
}
