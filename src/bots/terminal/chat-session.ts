import { randomUUID } from 'node:crypto'
import { createInterface, type Interface } from 'node:readline/promises'
import type { Analyst } from '../../agent/analyst.ts'
import type { OpenQuestions } from '../../agent/ask-back/open-questions.ts'
import { askInThread } from '../../agent/ask-in-thread.ts'
import { newRunId } from '../../agent/run/id.ts'
import type { QueryReport, RunResult } from '../../agent/run/result.ts'
import { ClewError } from '../../base/errors.ts'
import { NoRecordingError } from '../../llm/no-recording-error.ts'
import { abortable } from '../../store/abortable.ts'
import type { FormatSql } from '../../warehouse/format-sql.ts'
import { chatWords } from '../../words/chat.ts'
import { type Language, languageFor } from '../../words/language.ts'
import { subscriptionWords } from '../../words/subscription.ts'
import { answerView, sourcesView, sqlViews, tableView } from './answer-view.ts'
import { askAtTerminal, TERMINAL_AUTHOR } from './ask-at-terminal.ts'
import { errorInWords } from './error-in-words.ts'
import { TERMINAL_LIMITS } from './limits.ts'
import { wrapped } from './markdown.ts'
import { TerminalProgress } from './progress.ts'
import type { View } from './style.ts'
import { terminalText } from './text.ts'

export interface ChatSessionOptions {
  readonly analyst: Pick<Analyst, 'ask'>
  readonly questions: OpenQuestions
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WriteStream
  readonly view: View
  readonly language: Language
  readonly formatSql: FormatSql
  /** The name of the conversation to continue. */
  readonly thread?: string
}

/**
 * A conversation at a terminal. Each line is a question or a command. Ctrl-C stops a running answer. If no answer is running, it
 * clears the typed line. On an empty line, the first Ctrl-C shows a hint, and the second one ends the session.
 */
export class ChatSession {
  readonly #options: ChatSessionOptions
  #thread: string
  #last: RunResult | undefined
  /** The language of the last answer. Before the first answer, the language of the terminal. */
  #language: Language
  /**
   * The work after the last answer, which summarises the conversation. The next question and the end of the session wait for it.
   * Ctrl-C does not stop it.
   */
  #following: Promise<void> = Promise.resolve()

  constructor(options: ChatSessionOptions) {
    this.#options = options
    this.#thread = `terminal/${options.thread ?? randomUUID()}`
    this.#language = options.language
  }

  get #words() {
    return chatWords(this.#language)
  }

  /** Runs until the input ends, the person leaves, or `signal` aborts. An abort also stops a running answer. */
  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { input, output, view } = this.#options
    const lines = createInterface({ input, output, terminal: output.isTTY, prompt: view.style('bold', '› ') })
    let running: AbortController | undefined
    let open = true
    let isLeaving = false
    lines.on('SIGINT', () => {
      if (running !== undefined) return running.abort()
      if (isLeaving && lines.line === '') return lines.close()
      isLeaving = lines.line === ''
      if (isLeaving) output.write(`\n${this.#words.leaveHint}\n`)
      else clearLine(lines)
      lines.prompt()
    })
    lines.on('close', () => {
      open = false
    })
    const stop = () => {
      running?.abort()
      lines.close()
    }
    signal.addEventListener('abort', stop)
    output.write(`${this.#words.askOrHelp}\n`)
    lines.prompt()
    for await (const line of lines) {
      const text = line.trim()
      isLeaving = false
      if (signal.aborted || isLeave(text)) break
      running = new AbortController()
      if (text !== '') await this.#take(text, lines, running.signal, signal)
      running = undefined
      if (open) lines.prompt()
    }
    signal.removeEventListener('abort', stop)
    lines.close()
    await this.#following
  }

  async #take(text: string, lines: Interface, signal: AbortSignal, session: AbortSignal): Promise<void> {
    const { output, view } = this.#options
    const [word = '', id] = text.split(/\s+/)
    const command = word.toLowerCase()
    if (command === '/help') return void output.write(`${this.#words.help}\n`)
    if (command === '/sources') return this.#showSources(id)
    if (command === '/sql') return this.#showSql(id, signal)
    if (command === '/table') {
      const queries = this.#queries(id)
      const draw = (query: QueryReport) => {
        const drawn = tableView(query, TERMINAL_LIMITS.tableRows, view, this.#language)
        // Of several tables, nobody could tell which is whose. A sentence in place of a table names its query itself.
        return queries.length > 1 && query.rows.length > 0 ? `${view.style('bold', query.id)}\n${drawn}` : drawn
      }
      return this.#show(id, queries.map(draw))
    }
    if (command === '/new') {
      this.#thread = `terminal/${randomUUID()}`
      this.#last = undefined
      this.#language = this.#options.language
      return void output.write(`${this.#words.newConversation}\n`)
    }
    if (command === '/lineage' && id === undefined) return void output.write(`${this.#words.lineageUsage}\n`)
    if (command === '/subscriptions')
      return void output.write(`${wrapped(subscriptionWords(this.#language).onlyInChats, view)}\n`)
    if (command.startsWith('/') && command !== '/lineage')
      return void output.write(`${this.#words.noCommand(terminalText(word))} ${this.#words.help}\n`)
    return this.#ask(text, lines, signal, session)
  }

  async #showSql(id: string | undefined, signal: AbortSignal): Promise<void> {
    const { formatSql, view } = this.#options
    this.#show(id, await sqlViews(this.#queries(id), formatSql, { view, language: this.#language }, signal))
  }

  #showSources(id: string | undefined): void {
    const known = this.#queries(id).map(query => query.id)
    const figures = (this.#last?.figures ?? []).filter(({ query }) => known.includes(query))
    const shown = sourcesView(figures, this.#options.view, this.#language) || this.#words.noSources
    this.#show(id, known.length === 0 ? [] : [shown])
  }

  #show(id: string | undefined, shown: readonly string[]): void {
    this.#options.output.write(`${shown.length === 0 ? this.#nothingToShow(id) : shown.join('\n\n')}\n`)
  }

  #nothingToShow(id: string | undefined): string {
    const known = this.#queries(undefined).map(query => query.id)
    return id === undefined || known.length === 0 ? this.#words.nothingToShow : this.#words.noSuchQuery(terminalText(id), known)
  }

  /** Returns the last answer's queries. With an `id`, returns only the query with this id. */
  #queries(id: string | undefined): readonly QueryReport[] {
    const wanted = id
      ?.replace(/[[\]]/g, '')
      .replace(/^(?=\d)/, 'Q')
      .toUpperCase()
    return (this.#last?.queries ?? []).filter(query => wanted === undefined || query.id === wanted)
  }

  async #ask(text: string, lines: Interface, signal: AbortSignal, session: AbortSignal): Promise<void> {
    const { input, output, view, language: platform } = this.#options
    const runId = newRunId()
    const message = { thread: this.#thread, id: runId, author: TERMINAL_AUTHOR, text, at: Date.now() }
    const language = languageFor({ question: text, thread: this.#language })
    const progress = new TerminalProgress({ output, inPlace: output.isTTY, ...view, language })
    try {
      await abortable(this.#following, signal)
      const { result, afterwards } = await askInThread(
        this.#options,
        message,
        {
          runId,
          language: platform,
          observe: event => progress.observe(event),
          // If the input is a file, each line is a new question. Nobody could answer a question from Clew, so Clew asks none.
          ...(input.isTTY &&
            output.isTTY && { askPerson: askAtTerminal(() => ({ lines, output, view, close: () => {} }), progress) }),
        },
        signal,
      )
      progress.clear()
      this.#last = result
      this.#language = result.language
      output.write(`${answerView(result, view)}\n\n`)
      this.#following = afterwards(session).catch((error: unknown) => {
        if (!session.aborted) this.#tell(error)
      })
    } catch (error) {
      progress.clear()
      this.#language = progress.language
      if (signal.aborted) return void output.write(`${this.#words.stopped}\n`)
      this.#tell(error)
    }
  }

  /** Shows an expected error (a ClewError) to the person. Rethrows any other error. */
  #tell(error: unknown): void {
    const { output, view } = this.#options
    if (!(error instanceof ClewError)) throw error
    const sentence = wrapped(terminalText(errorInWords(error, this.#language)), view)
    // A demo without a model offers other questions. Nothing is wrong then.
    output.write(`${error instanceof NoRecordingError ? sentence : view.style('red', sentence)}\n`)
  }
}

/** Whether a line leaves the session. People are used to `exit` from other programs. */
function isLeave(text: string): boolean {
  const [command = '', ...rest] = text.toLowerCase().split(/\s+/)
  return /^\/(?:quit|exit)$/.test(command) || (/^(?:quit|exit)$/.test(command) && rest.length === 0)
}

/** Deletes the typed text, including the text after the cursor. */
function clearLine(lines: Interface): void {
  lines.write(null, { ctrl: true, name: 'e' })
  lines.write(null, { ctrl: true, name: 'u' })
}
