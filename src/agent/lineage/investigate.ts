import { isLimited } from '../../access/table-grant.ts'
import { fenceData } from '../../llm/data-fence.ts'
import type { ModelMessage } from '../../llm/language-model.ts'
import { PipelineError } from '../../pipelines/error.ts'
import type { LineageGraph, LineageNode } from '../../pipelines/lineage/graph.ts'
import type { LoggedRun } from '../../pipelines/lineage/source.ts'
import { type LineageWords, lineageWords } from '../../words/lineage.ts'
import { LINEAGE_LIMITS } from '../limits.ts'
import { askWithTools, type ToolTurn } from '../run/ask-model.ts'
import type { ToolCallReport } from '../run/investigation-report.ts'
import { RunLimit } from '../run/limit.ts'
import { describeNow } from '../run/time-context.ts'
import { questionPrompt } from '../understand/question-prompt.ts'
import { callTool, errorText } from './call-tool.ts'
import { checkFindings } from './check-findings.ts'
import type { LineageContext, LineageDeps, LineageRequest } from './context.ts'
import type { Evidence } from './evidence.ts'
import { graphPicture } from './graph-picture.ts'
import { graphPrompt, runPrompt } from './graph-prompt.ts'
import { driftSentence, inputDrift } from './input-drift.ts'
import { openGraph } from './open-graph.ts'
import { type ReplayDecision, replayObstacle, replayRun } from './replay-run.ts'
import type { LineageResult } from './result.ts'
import { toolError } from './tool-result.ts'
import { LineageToolbox } from './toolbox.ts'
import { LINEAGE_TOOLS } from './tools.ts'

const ANSWER_NOW =
  'Write the answer now, from what you have found so far, and say what is not proved. No more tools can be called.'

/** The run that the tools read now: the original run or its replay. */
interface Scene {
  readonly graph: LineageGraph
  readonly toolbox: LineageToolbox
}

/**
 * Answers a question about a run from the rows of its tables. The model must answer after ten rounds, or when it has read too
 * much data or used too much time.
 * @throws RunError if the model still takes too long; PipelineError `not_found` with similar names
 * @throws PipelineError `refused` if the asker may not see a table of the run, or may not have the run replayed
 * @throws InterruptError if the person will decide later about a replay; ModelError; WarehouseError
 */
export async function investigate(context: LineageContext, signal: AbortSignal): Promise<LineageResult> {
  const limit = new RunLimit(context.timeoutMs)
  const { askPerson, replayer } = context
  const limited: LineageContext = {
    ...context,
    ...(askPerson && { askPerson: (interrupt, own) => limit.standStillFor(askPerson(interrupt, own)) }),
    replayer: { replay: (...given) => limit.standStillFor(replayer.replay(...given)) },
  }
  try {
    return await new ToolLoop(limited, limit).run(AbortSignal.any([signal, limit.signal]))
  } finally {
    limit.close()
  }
}

class ToolLoop {
  readonly #context: LineageContext
  readonly #limit: Pick<RunLimit, 'spentMs'>
  readonly #evidence: Evidence[] = []
  readonly #calls: ToolCallReport[] = []
  #replay: LineageResult['replay'] = null
  /**
   * Whether a replay was refused. If so, the next call of the model gets another subject. Recorded answers are found by the
   * subject, and the model answers differently after a refusal.
   */
  #isRefused = false
  #replayed: LineageGraph | undefined
  /** The labels of all tables seen so far, by the table's name without the database. */
  readonly #labels = new Map<string, string>()
  readonly #shown: string[] = []
  #readCharacters = 0

  constructor(context: LineageContext, limit: Pick<RunLimit, 'spentMs'>) {
    this.#context = context
    this.#limit = limit
  }

  async run(signal: AbortSignal): Promise<LineageResult> {
    const { prompts, dialect, request, timeoutMs } = this.#context
    const original = await this.#open(await findRun(this.#context, request, signal), signal)
    let scene = original
    let notRepeated = ''
    if (request.isDeep) {
      const words = lineageWords(request.language)
      const obstacle = replayObstacle(original.graph, words)
      if (obstacle !== undefined) throw new PipelineError(`${obstacle} ${words.withoutDeep}`, { kind: 'refused' })
      const decision = await this.#repeat(original, 'asked for with --deep', signal)
      if (decision.kind === 'repeated') scene = await this.#open(decision.run, signal)
      else notRepeated = `\n${decision.message}`
      this.#isRefused = decision.kind !== 'repeated'
    }
    const messages: ModelMessage[] = prompts.render(
      'lineage',
      {
        calls_a_round: `${LINEAGE_LIMITS.callsPerRound}`,
        now: describeNow({ asked_at: request.askedAt, time_zone: request.timeZone, time_zone_source: 'operator' }),
        conversation: request.conversation === '' ? '' : fenceData('earlier answers', request.conversation),
        run: runPrompt(original.graph.run, this.#replay) + notRepeated,
        graph: graphPrompt(scene.toolbox),
        question: questionPrompt(request.question),
      },
      dialect,
    )
    this.#shown.push(...messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])))
    for (let round = 1; ; round += 1) {
      const isLast =
        round > LINEAGE_LIMITS.rounds ||
        this.#readCharacters > LINEAGE_LIMITS.allCharacters ||
        this.#limit.spentMs > LINEAGE_LIMITS.queryTimeShare * timeoutMs
      if (isLast) messages.push({ role: 'user', content: ANSWER_NOW })
      const turn = await askWithTools(
        this.#context,
        {
          step: 'lineage',
          attempt: round,
          subject: `${original.graph.run.job}: ${request.question} (${round}${this.#isRefused ? ' without a replay' : ''})`,
          messages: [...messages],
          tools: LINEAGE_TOOLS,
          toolChoice: isLast ? 'none' : 'auto',
        },
        signal,
      )
      if (turn.toolCalls.length === 0 || isLast) return this.#conclude(original, turn.text, round - 1, signal)
      messages.push({ role: 'assistant', content: turn.text, toolCalls: turn.toolCalls })
      const { answers, next } = await this.#callTools(turn, round, original, scene, signal)
      messages.push(...answers)
      scene = next
    }
  }

  /** Runs the tool calls of a round in parallel. The replay runs last, because it changes which tables the next calls read. */
  async #callTools(
    { toolCalls }: ToolTurn,
    round: number,
    original: Scene,
    scene: Scene,
    signal: AbortSignal,
  ): Promise<{ readonly answers: readonly ModelMessage[]; readonly next: Scene }> {
    // Each call gets an id for its rows in advance. Unused ids do no harm, because the answer renumbers its citations.
    const first = this.#calls.length + 1
    const outcomes = await Promise.all(
      toolCalls.map((call, index) =>
        callTool(this.#context, scene.toolbox, { call, round, index, evidenceId: `E${first + index}` }, signal),
      ),
    )
    let next = scene
    const answers: ModelMessage[] = []
    for (const [index, outcome] of outcomes.entries()) {
      let { text, report } = outcome
      if (outcome.replayReason !== undefined) {
        const decision = this.#replay === null ? await this.#repeat(original, outcome.replayReason, signal) : REPEATED_BEFORE
        this.#isRefused = this.#replay === null
        report = { ...report, ok: decision.kind === 'repeated', error_kind: decision.kind === 'repeated' ? null : decision.error }
        if (decision.kind === 'repeated') next = await this.#open(decision.run, signal)
        text =
          decision.kind === 'repeated'
            ? [decision.message, driftSentence(this.#replay?.drift ?? {}), graphPrompt(next.toolbox)]
                .filter(part => part !== '')
                .join('\n')
            : errorText(toolError(decision.error, decision.message))
      }
      if (outcome.evidence !== undefined) this.#evidence.push(outcome.evidence)
      this.#calls.push(report)
      if (outcome.evidence === undefined) this.#shown.push(text)
      this.#readCharacters += text.length
      answers.push({ role: 'tool', callId: toolCalls[index]?.id ?? '', content: text })
    }
    return { answers, next }
  }

  async #repeat(original: Scene, reason: string, signal: AbortSignal): Promise<ReplayDecision> {
    const decision = await replayRun(this.#context, original.graph, reason, signal)
    if (decision.kind === 'repeated') {
      const { graph } = await this.#open(decision.run, signal)
      this.#replayed = graph
      this.#replay = {
        reason,
        original_job_id: original.graph.run.id,
        replayed_job_id: decision.run.id,
        drift: inputDrift(original.graph, graph),
      }
    }
    return decision
  }

  async #open(run: LoggedRun, signal: AbortSignal): Promise<Scene> {
    const { request } = this.#context
    const graph = await openGraph(this.#context, run, request, signal)
    for (const { table, label } of graph.nodes) this.#labels.set(table.name, label)
    return { graph, toolbox: new LineageToolbox(this.#context, graph, request.grants) }
  }

  async #conclude({ graph }: Scene, written: string, rounds: number, signal: AbortSignal): Promise<LineageResult> {
    const shown = this.#shown.join('\n')
    const found = { evidence: this.#evidence, replay: this.#replay, labels: this.#labels, shown }
    const { findings, table } = readFaultLine(written)
    const { markdown, evidence, citations, figures } = await checkFindings(this.#context, findings, found, signal)
    const suspect = this.#suspect(graph, table)
    const [headline = ''] = markdown.split('\n').filter(line => line.trim() !== '')
    return {
      job: graph.run.job,
      job_id: graph.run.id,
      tier: this.#replay === null ? 1 : 2,
      answer: markdown,
      root_cause: headline
        .replace(/(?<!\s)\s*\[E\d+(?:, E\d+)*\]/g, '')
        .replace(/[*`#]/g, '')
        .trim(),
      suspected_table: suspect?.label ?? null,
      evidence,
      tool_calls: this.#calls.map(call => ({ ...call, evidence: this.#citedAs(call, evidence) })),
      replay: this.#replay,
      rounds,
      citations,
      figures,
      graph: graphPicture(graph, { suspect, replay: this.#replayed, language: this.#context.request.language }),
    }
  }

  /** Finds the id that the answer gives to the rows of a call. The check of the answer numbers them anew, and keeps the rows. */
  #citedAs(call: ToolCallReport, cited: readonly Evidence[]): string | null {
    const found = this.#evidence.find(({ id }) => id === call.evidence)
    return cited.find(({ rows }) => rows === found?.rows)?.id ?? null
  }

  /** Finds the table that the findings call faulty, by label or name, in the graph of the run or of its replay. */
  #suspect(graph: LineageGraph, named: string | undefined): LineageNode | undefined {
    if (named === undefined) return undefined
    return graph.find(named) ?? graph.find(this.#labels.get(named.slice(named.lastIndexOf('.') + 1)) ?? named)
  }
}

const REPEATED_BEFORE: ReplayDecision = {
  kind: 'not_repeated',
  error: 'replay_failed',
  message: 'The job was repeated already: its tables are those that list_graph_nodes shows.',
}

/**
 * Finds a run by its id, or the latest run of a job by the job's name.
 * @throws PipelineError `not_found` with similar names
 */
export async function findRun(
  deps: Pick<LineageDeps, 'source' | 'guard' | 'warehouse'>,
  { job, language, grants }: Pick<LineageRequest, 'job'> & Partial<Pick<LineageRequest, 'language' | 'grants'>>,
  signal: AbortSignal,
): Promise<LoggedRun> {
  const words = lineageWords(language)
  const found = await deps.source.findRun(job, signal)
  if ('run' in found && (found.ifHidden === undefined || (await maySee(deps, found.run, grants, signal)))) return found.run
  const { near, names } = ('run' in found ? found.ifHidden : found) ?? { near: [], names: [] }
  if (near.includes(job)) {
    throw new PipelineError(words.notRunYet(job), { kind: 'not_found' })
  }
  const none = words.noRun(job.slice(0, 100), near)
  throw new PipelineError(near.length === 0 ? `${none}${knownJobs(names, words)}` : none, { kind: 'not_found' })
}

async function maySee(
  deps: Pick<LineageDeps, 'source' | 'guard' | 'warehouse'>,
  run: LoggedRun,
  grants: LineageRequest['grants'],
  signal: AbortSignal,
): Promise<boolean> {
  if (!isLimited(grants)) return true
  try {
    await openGraph(deps, run, { grants }, signal)
    return true
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error
    return false
  }
}

function knownJobs(names: readonly string[], words: LineageWords): string {
  return names.length === 0
    ? words.noJobs
    : words.jobs(names.slice(0, LINEAGE_LIMITS.listedJobs), names.length > LINEAGE_LIMITS.listedJobs)
}

/** Matches a line in the format of `prompts/lineage.md`, with or without emphasis. */
const FAULT_LINE = /^[ \t>*_`-]*FAULT[*_`]*:[ \t]*(.*)/gm

/**
 * Separates the findings from the line that names the faulty table (`FAULT: vendors`). The model writes this line, so the table
 * may not exist.
 */
export function readFaultLine(written: string): { readonly findings: string; readonly table: string | undefined } {
  const named = [...written.matchAll(FAULT_LINE)].at(-1)?.[1] ?? ''
  const table = named.replace(/^[\s`*"'{]+/, '').replace(/(?<![\s`*"'}.])[\s`*"'}.]+$/, '')
  return { findings: written.replace(FAULT_LINE, '').trim(), table: table === '' ? undefined : table }
}
