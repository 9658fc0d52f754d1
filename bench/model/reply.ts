import { type Asked, askedIn, plainAnswer } from './asked.ts'
import type { ChatBody } from './chat-body.ts'
import { isWrongAtFirst, type Scenario } from './scenarios.ts'

/** The reply of the simulated model to a request: a text, or calls of tools. */
export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tools'; readonly calls: readonly { readonly name: string; readonly arguments: string }[] }

export interface ReplyContext {
  readonly body: ChatBody
  /** The step that sends the request. Clew sends it in the header `x-clew-step`, other programs in `x-bench-step`. */
  readonly step: string | undefined
  /**
   * Whether the program is Clew. Clew gets workings and reasons after the plan, and leaves out a message that stands alone. Other programs get the
   * same content without these.
   */
  readonly isClew: boolean
}

export interface Said {
  readonly asked: Asked
  readonly reply: Reply
  /** The data question that the requested SQL is for, counted from 1. 0 means the whole question. Null if no SQL was requested. */
  readonly part: number | null
}

/** Finds the question in a prompt, and returns it with the reply. @throws Error if the prompt contains no question of the benchmark */
export function replyTo({ body, step, isClew }: ReplyContext): Said {
  const prompt = body.messages.map(({ content }) => content).join('\n\n')
  const asked = askedIn(prompt)
  if (asked === undefined) throw new Error(`no scenario is asked for in step ${step ?? '(none)'}`)
  if (step === undefined) return { asked, reply: nextOfLoop(body, asked), part: null }
  const part =
    step === 'generate' ? 1 + asked.scenario.dataQuestions.findIndex(({ question }) => prompt.includes(question)) : null
  const isWrong = isWrongAtFirst(asked.n) && !prompt.includes('Attempt 1:')
  const value = stepValue(step, asked.scenario, { part, isWrong, isClew })
  if (value === undefined) {
    const { scenario } = asked
    return { asked, reply: { kind: 'text', text: isClew ? scenario.answer : plainAnswer(scenario) }, part }
  }
  return { asked, reply: structured(body, value), part }
}

const REASON = 'needed for the answer'

/** Returns the JSON value that answers a step. Returns undefined for a step that is answered with text. */
function stepValue(
  step: string,
  scenario: Scenario,
  { part, isWrong, isClew }: { readonly part: number | null; readonly isWrong: boolean; readonly isClew: boolean },
): Readonly<Record<string, unknown>> | undefined {
  switch (step) {
    case 'classify':
      return {
        intent: scenario.isTalk ? 'conversational' : 'data_analysis',
        standalone_question: isClew ? null : scenario.question,
        catalog_request: null,
        table: null,
        reply: scenario.isTalk ? scenario.answer : null,
      }
    case 'decompose':
      return {
        data_questions: scenario.dataQuestions.map(({ question, tables }) =>
          isClew ? { question, tables } : { question, rationale: REASON },
        ),
        clarification: null,
        datasource: null,
        error: null,
      }
    case 'generate': {
      const wanted = scenario.dataQuestions[Math.max(0, (part ?? 0) - 1)]
      return {
        sql: isWrong ? (wanted?.sql ?? '').replace('count()', 'sum(no_such_column)') : (wanted?.sql ?? ''),
        explanation: wanted?.explanation ?? '',
        deciding_assumptions: [],
        assumptions: ['Days are those of UTC.'],
        chart: null,
      }
    }
    case 'proofread':
      return { wrong: [] }
    default:
      return undefined
  }
}

/** Writes a value as JSON text, or as the tool call that the request demands. Contains only the requested fields. */
function structured(body: ChatBody, value: Readonly<Record<string, unknown>>): Reply {
  const forced = typeof body.tool_choice === 'object' ? body.tool_choice?.function.name : undefined
  const tools = body.tools ?? []
  const tool = tools.find(each => each.function.name === forced) ?? (body.tool_choice === 'required' ? tools[0] : undefined)
  const wanted = tool?.function.parameters?.properties ?? body.response_format?.json_schema?.schema.properties
  const text = JSON.stringify(
    wanted === undefined ? value : Object.fromEntries(Object.entries(value).filter(([name]) => name in wanted)),
  )
  return tool === undefined ? { kind: 'text', text } : { kind: 'tools', calls: [{ name: tool.function.name, arguments: text }] }
}

/** Replies to a program in which the model itself decides with tools. First all queries are called, then the answer follows. */
function nextOfLoop(body: ChatBody, { scenario }: Asked): Reply {
  const tool = (body.tools ?? []).find(({ function: { parameters } }) => sqlArgument(parameters?.properties) !== undefined)
  if (tool === undefined || body.messages.at(-1)?.role === 'tool') {
    return { kind: 'text', text: plainAnswer(scenario) }
  }
  const properties = tool.function.parameters?.properties ?? {}
  const calls = scenario.dataQuestions.map(({ question, sql, explanation }) => {
    const known: Readonly<Record<string, string>> = { [sqlArgument(properties) ?? 'sql']: sql, question, explanation }
    const given = Object.keys(properties).filter(name => name in known)
    return { name: tool.function.name, arguments: JSON.stringify(Object.fromEntries(given.map(name => [name, known[name]]))) }
  })
  return { kind: 'tools', calls }
}

function sqlArgument(properties: Readonly<Record<string, unknown>> = {}): string | undefined {
  return ['sql', 'query', 'statement'].find(name => name in properties)
}
