import { createInterface } from 'node:readline/promises'
import type { Analyst } from '../agent/analyst.ts'
import type { Confirm } from '../agent/confirmation.ts'
import { failureSentence } from '../agent/failure-answer.ts'
import { newRunId } from '../agent/run-id.ts'
import { answerView, tableView } from '../bots/terminal/answer-view.ts'
import { askAboutCost } from '../bots/terminal/ask-about-cost.ts'
import { TerminalProgress } from '../bots/terminal/terminal-progress.ts'
import { terminalStyle, type View } from '../bots/terminal/terminal-style.ts'
import { terminalText } from '../bots/terminal/terminal-text.ts'
import { ConfigurationError } from '../errors.ts'
import { wireAnalyst, wireGuard, wireModel, wireSchemaSource, wireWarehouse } from '../main-parts.ts'
import { type CommandContext, EXIT, openStateStore, tell } from './command-context.ts'

/** Rows of each result that are drawn below an answer. */
const DRAWN_ROWS = 10
const DEFAULT_WIDTH = 100

export interface AskOptions {
  readonly json: boolean
  /** What is over the budget runs without asking. */
  readonly yes: boolean
  /** Continues the conversation of this name, where REDIS_URL keeps it. */
  readonly thread?: string
}

/** `clew ask`: one question, one answer; progress on standard error. It has failed where queries were needed and none ran; the answer that says so is printed all the same. */
export async function askCommand(context: CommandContext, question: string, options: AskOptions): Promise<number> {
  if (question.trim() === '') throw new ConfigurationError('Ask something: clew ask "how many orders were there yesterday?"')
  const analyst = await openAnalyst(context)
  const { output, errorOutput, signal } = context
  const progress = new TerminalProgress({ output: errorOutput, inPlace: errorOutput.isTTY, ...viewOf(errorOutput) })
  const answer = await analyst
    .ask(
      {
        runId: newRunId(),
        ...(options.thread === undefined ? {} : { thread: `terminal/${options.thread}` }),
        text: question,
        askedAt: Date.now(),
        ...(options.json ? {} : { observe: event => progress.observe(event) }),
        ...confirmation(context, options, progress),
      },
      signal,
    )
    .finally(() => progress.clear())
  if (options.json) {
    output.write(`${JSON.stringify(answer.result)}\n`)
  } else {
    const view = viewOf(output)
    const tables = answer.result.queries
      .filter(query => query.rows.length > 1)
      .map(query => `\n${query.id}\n${tableView(query, DRAWN_ROWS, view)}`)
    output.write(`${[answerView(answer.result, view), ...tables].join('\n')}\n`)
  }
  await answer.afterwards(signal)
  const { queries } = answer.result
  if (queries.length === 0 || queries.some(query => query.error === null)) return EXIT.answered
  errorOutput.write(`${terminalText(failureSentence(queries))}\n`)
  return EXIT.failed
}

/** How to ask about what is over the budget; nothing where nobody sits at a terminal. */
function confirmation(
  { errorOutput }: CommandContext,
  { json, yes }: AskOptions,
  progress: TerminalProgress,
): { readonly confirm?: Confirm } {
  if (yes) return { confirm: () => Promise.resolve('run') }
  if (json || !process.stdin.isTTY || !errorOutput.isTTY) return {}
  const open = () => {
    // The terminal keeps its own editing of lines, and its own Ctrl-C.
    const lines = createInterface({ input: process.stdin, output: errorOutput, terminal: false })
    return { lines, close: () => lines.close() }
  }
  return { confirm: askAboutCost(open, progress) }
}

/** Everything an analyst needs, from the configuration. */
export async function openAnalyst(context: CommandContext): Promise<Analyst> {
  const model = wireModel(context)
  const store = await openStateStore(context)
  const warehouse = await wireWarehouse(context, context.signal)
  const guard = await wireGuard(context, warehouse, context.signal, sentence => tell(context, sentence))
  return wireAnalyst(context, { model, store, warehouse, guard, schemaSource: wireSchemaSource(context, { warehouse, store }) })
}

/** How wide and how coloured a stream may be written to. */
export function viewOf(stream: NodeJS.WriteStream): View {
  // A terminal that does not know its width says 0.
  const width = stream.columns || DEFAULT_WIDTH
  return { style: terminalStyle(stream.isTTY && stream.hasColors()), width, wraps: stream.isTTY }
}
