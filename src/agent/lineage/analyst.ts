import { z } from 'zod'
import { accessKey } from '../../access/run-access.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { parseJson } from '../../base/text/parse-json.ts'
import { RunLog } from '../../history/run-log.ts'
import { PipelineError } from '../../pipelines/error.ts'
import type { StateStore } from '../../store/state-store.ts'
import { lineageWords } from '../../words/lineage.ts'
import type { AnalystAnswer, Question } from '../analyst.ts'
import { type Interrupt, InterruptError, interruptMarkdown, type WaitingStep } from '../ask-back/interrupt.ts'
import { LINEAGE_LIMITS } from '../limits.ts'
import { withOneBusyNotice } from '../run/busy-notice.ts'
import type { Investigation } from '../run/investigation.ts'
import { RunRequests, rightsOf } from '../run/requests.ts'
import type { RunResult } from '../run/result.ts'
import { stepReports } from '../run/step-reports.ts'
import { withSafeLinks } from '../write/safe-links.ts'
import { leadsBackToData, readLineageCommand } from './command.ts'
import type { LineageDeps, LineageRequest } from './context.ts'
import { asQuery } from './evidence.ts'
import { findRun, investigate } from './investigate.ts'
import { type LineageOverview, lineageOverview } from './overview.ts'
import { readingAs } from './reading-as.ts'
import type { LineageResult } from './result.ts'

export const lineageRequestSchema = z.object({
  job: z.string(),
  question: z.string(),
  isDeep: z.boolean(),
  conversation: z.string(),
  askedAt: z.string(),
  /** The key of the rights that the asker had at the time of the request. Null means no limits. */
  access: z.string().nullable().default(null),
})
export type StoredRequest = z.infer<typeof lineageRequestSchema>
/** The latest investigation of a thread. `job` is the run's id, and `name` is the pipeline's name. */
const threadSchema = z.object({
  job: z.string(),
  name: z.string().default(''),
  asked: z.string().default(''),
  findings: z.string(),
})

interface LineageAnalystDeps extends LineageDeps {
  readonly store: StateStore
  /** The operator's time zone, for askers whose own zone is unknown. */
  readonly timeZone: string
}

/** Runs the investigations of every surface, and remembers the latest investigation of each thread. */
export class LineageAnalyst {
  readonly #deps: LineageAnalystDeps
  readonly #requests: RunRequests<StoredRequest>

  constructor(deps: LineageAnalystDeps) {
    this.#deps = deps
    this.#requests = new RunRequests({ store: deps.store, kind: 'lineage', schema: lineageRequestSchema })
  }

  /**
   * Returns the request if the message is a command for an investigation, or resumes one. If the asker's rights have changed, the
   * investigation starts anew.
   * @throws RunError if a choice comes with other rights
   */
  async understand(question: Question, signal: AbortSignal): Promise<StoredRequest | undefined> {
    const stored = await this.#requests.find(question, signal)
    if (stored !== undefined) return stored
    // This choice answers a question about data, even if the thread is about a pipeline by now.
    if (question.choice !== undefined) return undefined
    const askedAt = new Date(question.askedAt).toISOString()
    const command = readLineageCommand(question.text)
    return command && { ...command, conversation: '', askedAt, access: rightsOf(question) }
  }

  /**
   * Returns the thread's investigation, and the request to continue it with this message. Undefined if there is none, or if the
   * message asks for data.
   */
  async underWay(
    question: Question,
    signal: AbortSignal,
  ): Promise<(Investigation & { readonly request: StoredRequest }) | undefined> {
    if (question.choice !== undefined || leadsBackToData(question.text)) return undefined
    const thread = threadSchema.safeParse(parseJson((await this.#readThread(question, signal)) ?? ''))
    if (!thread.success) return undefined
    const { job, name, asked, findings } = thread.data
    // In a command, the pipeline is a single word. If its name has several words, the run's id takes its place.
    const isCallable = readLineageCommand(`lineage ${name}`)?.job === name
    const askedAt = new Date(question.askedAt).toISOString()
    const request = { job, question: question.text, isDeep: false, conversation: findings, askedAt, access: rightsOf(question) }
    return { job: isCallable ? name : job, asked, request }
  }

  /** @throws RunError, ModelError, WarehouseError, ConfigurationError */
  async ask(question: Question, understood: StoredRequest, signal: AbortSignal): Promise<AnalystAnswer> {
    await this.#requests.keep(question.runId, understood, signal)
    const log = await RunLog.open(question.runId, this.#deps, signal)
    const { waiting, ...told } = await this.#answer(question, understood, log, signal)
    const result: RunResult = {
      run_id: question.runId,
      intent: 'lineage',
      standalone_question: understood.question === '' ? `lineage ${understood.job}` : understood.question,
      language: question.language ?? 'en',
      confidence: null,
      confidence_reason: null,
      note: '',
      draft: null,
      ...told,
      steps: stepReports(log.entries()),
    }
    const close = async (own: AbortSignal) => {
      if (waiting.length === 0) await log.close(own)
    }
    return { result, waiting, afterwards: close }
  }

  async #answer(
    question: Question,
    understood: StoredRequest,
    log: RunLog,
    signal: AbortSignal,
  ): Promise<
    Pick<RunResult, 'answer' | 'queries' | 'citations' | 'figures' | 'interrupt' | 'chart' | 'investigation'> & {
      readonly waiting: readonly WaitingStep[]
    }
  > {
    const request: LineageRequest = {
      ...understood,
      timeZone: question.timeZone ?? this.#deps.timeZone,
      language: question.language ?? 'en',
      ...(question.access === undefined ? {} : { grants: question.access.grants }),
    }
    // The answer may contain texts of the server or the model, such as an error or the reason for a replay. So its links are made
    // safe.
    const inSafeWords = (answer: string, interrupt?: Interrupt, waiting?: readonly WaitingStep[]) =>
      inWords(withSafeLinks(answer, this.#deps.linkHosts), interrupt, waiting)
    try {
      if (understood.question === '') {
        const { markdown, picture } = await this.#overview(question, request, signal)
        return { ...inSafeWords(markdown), chart: picture }
      }
      const { id: job } = await findRun(this.#deps, request, signal)
      // A resumed investigation keeps its run, even if the pipeline has run again since.
      await this.#requests.keep(question.runId, { ...understood, job }, signal)
      const result = await investigate(
        {
          ...this.#deps,
          warehouse: readingAs(this.#deps.warehouse, question.access),
          request: { ...request, job },
          log,
          observe: withOneBusyNotice(question.observe ?? (() => {})),
          ...(question.askPerson && { askPerson: question.askPerson }),
          ...(question.choice && { given: question.choice }),
          ...(question.messageRunId !== undefined && { messageRunId: question.messageRunId }),
        },
        signal,
      )
      await this.#remember(question, result, understood, signal)
      return {
        ...inWords(result.answer),
        chart: result.graph,
        queries: result.evidence.map(asQuery),
        citations: result.citations,
        figures: result.figures,
        investigation: {
          job_id: result.job_id,
          replayed_job_id: result.replay?.replayed_job_id ?? null,
          suspected_table: result.suspected_table,
          tool_calls: result.tool_calls,
        },
      }
    } catch (error) {
      if (error instanceof InterruptError) return inSafeWords(interruptMarkdown(error.interrupt), error.interrupt, error.steps)
      if (error instanceof PipelineError) return inWords(error.message)
      if (error instanceof ConfigurationError) {
        this.#deps.logger.warn({ err: error, run: question.runId }, 'pipeline state could not be read')
        return inWords(lineageWords(request.language).noPipelines)
      }
      throw error
    }
  }

  async #overview(question: Question, request: LineageRequest, signal: AbortSignal): Promise<LineageOverview> {
    const overview = await lineageOverview(this.#deps, await findRun(this.#deps, request, signal), signal, request)
    const { run } = overview
    await this.#saveThread(question, { job: run.id, name: run.job, asked: '', findings: '' }, signal)
    return overview
  }

  async #remember(
    question: Question,
    result: LineageResult,
    { question: asked, conversation }: StoredRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const findings = [conversation, `Asked: ${asked}\nFound: ${result.answer}`].filter(part => part !== '').join('\n\n')
    // Later questions may be about the tables of the replay, so its id is remembered.
    const job = result.replay?.replayed_job_id ?? result.job_id
    const thread = { job, name: result.job, asked, findings: findings.slice(-LINEAGE_LIMITS.rememberedCharacters) }
    await this.#saveThread(question, thread, signal)
  }

  async #readThread(question: Question, signal: AbortSignal): Promise<string | undefined> {
    const key = threadKey(question)
    return key === undefined ? undefined : this.#deps.store.get(key, signal)
  }

  async #saveThread(question: Question, thread: z.infer<typeof threadSchema>, signal: AbortSignal): Promise<void> {
    const key = threadKey(question)
    if (key !== undefined) await this.#deps.store.set(key, JSON.stringify(thread), LINEAGE_LIMITS.threadSeconds, signal)
  }
}

function inWords(answer: string, interrupt: Interrupt | null = null, waiting: readonly WaitingStep[] = []) {
  return { answer, interrupt, waiting, queries: [], citations: null, figures: [], chart: null }
}

/**
 * Returns the key of a thread's findings. People with different rights have separate findings. Undefined for an endless
 * conversation, because otherwise all its later questions would be about this run.
 */
function threadKey({ thread, access, isEndless }: Question): string | undefined {
  if (thread === undefined || isEndless === true) return undefined
  return `lineage:{${access === undefined ? thread : `${thread}#${accessKey(access)}`}}`
}
