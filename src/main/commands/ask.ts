import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { accessOfRole } from '../../access/policy.ts'
import type { RunAccess } from '../../access/run-access.ts'
import type { Question } from '../../agent/analyst.ts'
import type { AskPerson } from '../../agent/ask-back/interrupt.ts'
import { isTabled } from '../../agent/query/is-tabled.ts'
import { RunError } from '../../agent/run/error.ts'
import { newRunId } from '../../agent/run/id.ts'
import { isTooLong } from '../../agent/run/question-size.ts'
import type { RunResult } from '../../agent/run/result.ts'
import { failureSentence } from '../../agent/write/failure-answer.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { fileReason } from '../../base/file-reason.ts'
import { thereAre } from '../../base/text/there-are.ts'
import { answerView, tableView } from '../../bots/terminal/answer-view.ts'
import { askAtTerminal, readLine, TERMINAL_AUTHOR, type TerminalPrompt } from '../../bots/terminal/ask-at-terminal.ts'
import { TerminalProgress } from '../../bots/terminal/progress.ts'
import { type View, viewOf } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { languageFor } from '../../words/language.ts'
import { loadPolicy } from '../access.ts'
import { MAIN_LIMITS } from '../limits.ts'
import { askOpened, type OpenedAnalyst, openAnalyst } from '../open-analyst.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'
import { showSources } from './show-sources.ts'
import { translateFailure } from './translate-failure.ts'

export interface AskOptions {
  readonly json: boolean
  /** Whether to show the SQL and the sources of figures below the answer. */
  readonly sources?: boolean
  /** Whether to run a query above the cost budget without asking the person. */
  readonly yes: boolean
  /** Asks with the rights of this role of access.yaml. If absent, all tables may be read. */
  readonly as?: string
  /** Continues the conversation with this name. Without REDIS_URL, the conversation is lost when the command ends. */
  readonly thread?: string
  /** Writes the definition of a drafted pipeline into this file. */
  readonly out?: string
}

/**
 * `clew ask`: one question, one answer, with progress on standard error. If Clew asks back, it does so at the terminal. Without a
 * terminal, it prints its question, and a later `clew ask` with the same thread answers it. If queries were needed and none ran,
 * the command fails, but still prints the answer with the reason.
 */
export async function askCommand(context: CommandContext, question: string, options: AskOptions): Promise<number> {
  if (question.trim() === '') throw new ConfigurationError('Ask something: clew ask "how many orders were there yesterday?"')
  checkQuestion(question)
  tellIfForgotten(context, options.thread)
  const access = options.as === undefined ? undefined : await accessAs(context, options.as)
  const parts = await openAnalyst(context)
  const isInteractive = sitsAtTerminal(context, options)
  // If Clew asks back at the terminal, the thread must exist at least until the person answers.
  const name = options.thread ?? (isInteractive ? newRunId() : undefined)
  const thread = name === undefined ? undefined : `terminal/${name}`
  for (let text = question; ; ) {
    const runId = newRunId()
    context.run.id = runId
    const { result, isWritten } = await answerOnce(context, parts, { ...options, access }, { runId, text, thread })
    if (result.interrupt === null) return isWritten ? exitStatus(context, result) : EXIT.usage
    if (!isInteractive) return EXIT.answered
    const prompt = openPrompt(context)
    const reply = await readLine(prompt, '› ', context.signal).finally(() => prompt.close())
    if (reply === undefined || reply.trim() === '') return EXIT.answered
    text = reply
  }
}

/** @throws ConfigurationError if the question is too long */
export function checkQuestion(question: string): void {
  if (isTooLong(question)) throw new ConfigurationError(RunError.tooLong().message)
}

/** Warns if the named conversation will be lost at the end of this process. */
export function tellIfForgotten(context: CommandContext, thread: string | undefined): void {
  if (thread !== undefined && context.config.redis.url === undefined)
    tell(context, `The conversation ${thread} ends with this command: to keep it, set REDIS_URL.`)
}

/** Asks the question and prints the answer. Then finishes the work that the answer did not need to wait for. */
async function answerOnce(
  context: CommandContext,
  parts: OpenedAnalyst,
  options: AskOptions & { readonly access: RunAccess | undefined },
  { runId, text, thread }: { readonly runId: string; readonly text: string; readonly thread: string | undefined },
): Promise<{ readonly result: RunResult; readonly isWritten: boolean }> {
  const { output, errorOutput, signal } = context
  let spoken = languageFor({ question: text, platform: context.language })
  const progress = new TerminalProgress({
    output: errorOutput,
    inPlace: errorOutput.isTTY,
    ...viewOf(errorOutput),
    language: spoken,
  })
  const how = {
    runId,
    language: context.language,
    ...(options.access && { access: options.access }),
    observe: event => {
      if (event.kind === 'question_understood') spoken = event.language
      if (!options.json) progress.observe(event)
    },
    ...waysToAsk(context, options, progress),
  } satisfies Partial<Question>
  const answering = askOpened(parts, { thread, author: TERMINAL_AUTHOR, text }, how, signal)
  const { result, afterwards } = await translateFailure(
    () => spoken,
    answering.finally(() => progress.clear()),
  )
  output.write(options.json ? `${JSON.stringify(result)}\n` : `${resultText(result, viewOf(output))}\n`)
  const isWritten = options.out === undefined || (await writeDefinition(context, result, options.out))
  if (!options.json && result.queries.length > 0) await showSources(context, parts.formatSql, options, result)
  await afterwards(signal)
  return { result, isWritten }
}

/**
 * Writes the definition of a pipeline that the run has drafted. A draft that waits for the person's decision is not written.
 * @returns false if the file cannot be written, which is told, because the answer is printed already
 */
async function writeDefinition(context: CommandContext, { draft, interrupt }: RunResult, file: string): Promise<boolean> {
  if (draft === null && interrupt === null) tell(context, `No pipeline was drafted, so nothing is written to ${file}.`)
  if (draft?.valid !== true || interrupt !== null) return true
  try {
    await writeFile(file, draft.definition)
  } catch (error) {
    tell(context, `The definition cannot be written to ${file}: ${fileReason(error)}.`)
    return false
  }
  tell(context, `The definition is in ${file}: clew jobs register ${file}`)
  return true
}

/**
 * Returns the rights of a role, so that an operator can try the role out.
 * @throws ConfigurationError for an unknown role
 */
export async function accessAs({ config }: Pick<CommandContext, 'config'>, name: string): Promise<RunAccess> {
  const policy = await loadPolicy(config)
  if (policy === undefined) throw new ConfigurationError('There are no roles: CLEW_ACCESS_FILE is not set.')
  const access = accessOfRole(policy, name)
  if (access === undefined) throw new ConfigurationError(`There is no role ${name}: ${thereAre([...policy.roles.keys()])}.`)
  return { grants: access.grants, clickhouseRoles: access.clickhouseRoles }
}

function resultText(result: RunResult, view: View): string {
  const tables = result.queries
    .filter(query => query.rows.length > 1 && !isTabled(query, result, MAIN_LIMITS.drawnRows))
    .map(query => `\n${query.id}\n${tableView(query, MAIN_LIMITS.drawnRows, view, result.language)}`)
  return [answerView(result, view), ...tables].join('\n')
}

function exitStatus({ errorOutput }: CommandContext, { queries, language, run_id: runId }: RunResult): number {
  if (queries.length === 0 || queries.some(query => query.error === null)) return EXIT.answered
  errorOutput.write(`${terminalText(failureSentence(queries, language))} (${runId})\n`)
  return EXIT.failed
}

/**
 * Returns how Clew can ask the person: during the run at a terminal, or in a named thread by ending the run with the question.
 * Empty if nobody would see the question.
 */
function waysToAsk(context: CommandContext, options: AskOptions, progress: TerminalProgress): { readonly askPerson?: AskPerson } {
  const later = options.thread !== undefined && context.config.redis.url !== undefined ? async () => undefined : undefined
  const askPerson = sitsAtTerminal(context, options) ? askAtTerminal(() => openPrompt(context), progress) : later
  if (!options.yes) return { ...(askPerson && { askPerson }) }
  return {
    askPerson: async (interrupt, signal) =>
      interrupt.kind === 'need_confirm' ? interrupt.choices[0]?.value : askPerson?.(interrupt, signal),
  }
}

function sitsAtTerminal({ errorOutput }: CommandContext, { json }: AskOptions): boolean {
  return !json && process.stdin.isTTY && errorOutput.isTTY
}

/** Reads lines from standard input. Questions to the person go to standard error. */
export function openPrompt({ errorOutput }: CommandContext): TerminalPrompt {
  // Even with `terminal: false`, the terminal itself handles line editing and Ctrl-C.
  const lines = createInterface({ input: process.stdin, output: errorOutput, terminal: false })
  return { lines, output: errorOutput, view: viewOf(errorOutput), close: () => lines.close() }
}
