import type { Schema } from '../../warehouse/schema.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import { draftWords } from '../../words/draft.ts'
import { askPerson } from '../ask-back/ask-person.ts'
import { clarificationInterrupt } from '../ask-back/clarification.ts'
import { type Interrupt, InterruptError, interruptMarkdown, type WaitingStep } from '../ask-back/interrupt.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { inSource } from '../planning/choose-sources.ts'
import type { RunContext } from '../run/context.ts'
import { chooseDatasource, datasourceQuestion } from '../schema/datasource.ts'
import { focusSchema } from '../schema/focus-schema.ts'
import { type CheckedDraft, checkDraft } from './check-draft.ts'
import { code, codeBlock, explainDraft, warningsOf } from './explain-draft.ts'
import { draftOf, type PipelineDraft } from './pipeline-draft.ts'
import { draftAsYaml, type FailedDraft, type WrittenDraft, writeDraft } from './write-draft.ts'

/** The answer to a message about a draft. */
export interface DraftAnswer {
  readonly markdown: string
  readonly interrupt: Interrupt | null
  readonly waiting: readonly WaitingStep[]
  /** The message, if the person has said meanwhile which database is meant. */
  readonly question?: string
  /** The draft as it is now. Null if there is none, or if the message has not changed it. */
  readonly draft: PipelineDraft | null
}

/** A written draft, with the result of its checks. */
type Outcome =
  | { readonly kind: 'sound'; readonly yaml: string; readonly checked: Extract<CheckedDraft, { kind: 'sound' }> }
  | { readonly kind: 'failed'; readonly failed: readonly FailedDraft[] }
  | { readonly kind: 'asks'; readonly written: WrittenDraft }

/**
 * Drafts a pipeline, or revises the draft of the conversation. The draft is checked, explained and confirmed. The answer then has
 * its definition. Nothing is set up.
 * @throws InterruptError, ModelError, WarehouseError
 */
export async function draftPipeline(
  context: RunContext,
  schema: Schema,
  question: string,
  signal: AbortSignal,
): Promise<DraftAnswer> {
  const words = draftWords(context.language)
  const standing = await inDefaultSource(context, schema, signal)
  if (standing === undefined) return inWords(words.noAccess)
  if (standing.context.dialect !== 'clickhouse') return inWords(words.needsClickHouse)
  return draftFrom(standing.context, standing.schema, question, signal)
}

/** Returns the run over the default source, because pipelines work on no other. Undefined if the asker may not use it. */
async function inDefaultSource(context: RunContext, schema: Schema, signal: AbortSignal) {
  const { sources, source, planned } = context
  if (sources === undefined) return { context, schema }
  const standing = sources.find(({ config }) => config.isDefault)
  if (standing === undefined) return undefined
  return planned === undefined && (source === undefined || source.isDefault)
    ? { context, schema }
    : inSource(context, standing, signal)
}

async function draftFrom(context: RunContext, whole: Schema, question: string, signal: AbortSignal): Promise<DraftAnswer> {
  const before = draftOf(context.request.conversation)
  const about = { text: [question, ...(before?.asked ?? [])].join('\n'), context: context.request.question }
  const hints = new Map(before?.tables.map(table => [table, 1]))
  const schema = await focusSchema(context, whole, { ...about, hints }, signal)
  const outcome = await writeUntilSound(context, schema, question, signal)
  if (outcome.kind === 'failed') {
    context.telemetry?.({ kind: 'draft', outcome: 'failed' })
    return failure(context, { failed: outcome.failed, before, question })
  }
  if (outcome.kind === 'asks') {
    const { clarification, datasource, error } = outcome.written
    const which = datasourceQuestion(datasource, whole)
    if (which !== null) {
      const sourced = await chooseDatasource(context, { schema: whole, question }, which, signal)
      const own = { ...context, schemaSource: sourced.schemaSource }
      return { question: sourced.question, ...(await draftFrom(own, sourced.schema, sourced.question, signal)) }
    }
    if (!isBlank(clarification?.question) && clarification !== null)
      throw new InterruptError(clarificationInterrupt(clarification), [])
    return inWords(error?.trim() ?? '')
  }
  const { yaml, checked } = outcome
  const name = nameIn(yaml)
  const warnings = [...warningsOf(checked, name, context.budget, context.language), ...sourceWarning(context)]
  const isRevision = before?.name === name || before?.tables.some(table => checked.tables.includes(table)) === true
  const asked = [...(isRevision ? before.asked : []), question]
  const draft: PipelineDraft = {
    version: 1,
    name,
    yaml,
    asked: asked.slice(-AGENT_LIMITS.draft.requests),
    is_valid: true,
    warnings,
    tables: checked.tables,
  }
  return confirm(context, draft, explainDraft({ yaml, checked, warnings }, context.language), signal)
}

/** Writes a draft, and writes it again with what was wrong, until it works or the attempts are used up. */
async function writeUntilSound(context: RunContext, schema: Schema, question: string, signal: AbortSignal): Promise<Outcome> {
  const failed: FailedDraft[] = []
  for (;;) {
    const written = await writeDraft(context, { schema, question, failed, onOperation: growing(context) }, signal)
    const isAsked = !isBlank(written.clarification?.question) || datasourceQuestion(written.datasource, schema) !== null
    if (isAsked || !isBlank(written.error)) return { kind: 'asks', written }
    const yaml = draftAsYaml(written, context.request.time_zone)
    const checked = await checkDraft(context, { yaml, schema, attempt: failed.length + 1 }, signal)
    if (checked.kind === 'sound') return { kind: 'sound', yaml, checked }
    failed.push({ yaml, message: checked.message })
    if (failed.length > AGENT_LIMITS.draft.repairs) return { kind: 'failed', failed }
  }
}

/** Returns a function that shows the operations as the model writes them. */
function growing({ observe }: RunContext): (index: number, operation: WrittenDraft['operations'][number]) => void {
  const operations: string[] = []
  return (index, { name, sql }) => {
    operations[index] = `${code(name)}\n\n${codeBlock('sql', sql)}`
    observe({ kind: 'answer_grown', markdown: operations.join('\n\n') })
  }
}

/** Shows the draft, and asks whether to hand over its file. If nobody can be asked, hands it over at once. */
async function confirm(
  context: RunContext,
  draft: PipelineDraft,
  explanation: string,
  signal: AbortSignal,
): Promise<DraftAnswer> {
  const words = draftWords(context.language)
  const { name, yaml } = draft
  const file = `${name}.yaml`
  const handedOver = [
    words.handedOver(code(name), code(file)),
    codeBlock('sh', `clew jobs register ${file}`),
    codeBlock('yaml', yaml),
  ].join('\n\n')
  const tell = (outcome: string) => context.telemetry?.({ kind: 'draft', outcome })
  if (context.askPerson === undefined) {
    tell('handed_over')
    return { ...inWords(`${explanation}\n\n${handedOver}`), draft }
  }
  const interrupt = {
    kind: 'need_confirm',
    question: `${explanation}\n\n${words.notSetUp}`,
    choices: [
      { value: 'hand_over', label: words.handOver },
      { value: 'revise', label: words.revise },
    ],
    takes_words: true,
  } as const
  try {
    const choice = await askPerson(context, { step: 'confirm_draft', attempt: 1 }, { yaml }, interrupt, signal)
    tell(choice === 'hand_over' ? 'handed_over' : 'revised')
    if (choice === 'hand_over') return { ...inWords(handedOver), draft }
    const what = { kind: 'need_clarification', question: words.whatElse, choices: [] } as const
    return { markdown: words.whatElse, interrupt: what, waiting: [], draft }
  } catch (error) {
    // The draft is remembered while the person thinks, so that their next words can change it.
    if (!(error instanceof InterruptError)) throw error
    tell('shown')
    return { markdown: interruptMarkdown(error.interrupt), interrupt: error.interrupt, waiting: error.steps, draft }
  }
}

/** Says what was tried. An earlier draft that works stays; without one, the failed draft can be changed in words too. */
function failure(
  { language }: RunContext,
  asked: { readonly failed: readonly FailedDraft[]; readonly before: PipelineDraft | null; readonly question: string },
): DraftAnswer {
  const { failed, before, question } = asked
  const words = draftWords(language)
  const last = failed.at(-1)?.yaml ?? ''
  const tried = failed.map(({ message }, index) => `${index + 1}. ${onOneLine(message, AGENT_LIMITS.draft.errorCharacters)}`)
  const markdown = [
    words.failed(failed.length),
    tried.join('\n'),
    codeBlock('yaml', last),
    before?.is_valid === true ? words.draftKept : words.sayOtherwise,
  ].join('\n\n')
  const warnings = failed.slice(-1).map(({ message }) => message)
  const draft: PipelineDraft = {
    version: 1,
    name: nameIn(last),
    yaml: last,
    asked: [question],
    is_valid: false,
    warnings,
    tables: [],
  }
  return { ...inWords(markdown), draft }
}

function sourceWarning({ sources = [], language }: RunContext): readonly string[] {
  const standing = sources.find(({ config }) => config.isDefault)
  return standing === undefined || sources.length < 2 ? [] : [draftWords(language).onlyDefault(code(standing.config.id))]
}

/** Returns the name at the head of a definition that the program has written. */
function nameIn(yaml: string): string {
  return /^name: (\S+)$/m.exec(yaml)?.[1] ?? ''
}

function inWords(markdown: string): DraftAnswer {
  return { markdown, interrupt: null, waiting: [], draft: null }
}

function isBlank(text: string | null | undefined): boolean {
  return text == null || text.trim() === ''
}
