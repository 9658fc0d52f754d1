import { codeBlock } from '../../base/text/code-block.ts'
import { SOURCE_KINDS } from '../../sources/kinds.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import { draftWords } from '../../words/draft.ts'
import { type Answer, asked, inWords } from '../answer.ts'
import { askPerson } from '../ask-back/ask-person.ts'
import { askedBack } from '../ask-back/clarification.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { inSource } from '../planning/choose-sources.ts'
import type { RunContext } from '../run/context.ts'
import { chooseDatasource, datasourceQuestion } from '../schema/datasource.ts'
import { focusSchema } from '../schema/focus-schema.ts'
import { checkDraft, type SoundDraft } from './check-draft.ts'
import { code, explainDraft, warningsOf } from './explain-draft.ts'
import { draftOf, type PipelineDraft } from './pipeline-draft.ts'
import { draftAsYaml, type FailedDraft, type WrittenDraft, writeDraft } from './write-draft.ts'

/**
 * Drafts a pipeline, or revises the draft of the conversation. The draft is checked, explained and confirmed. The answer then has
 * its definition. Nothing is set up.
 * @throws InterruptError, ModelError, WarehouseError
 */
export async function draftPipeline(context: RunContext, schema: Schema, question: string, signal: AbortSignal): Promise<Answer> {
  const words = draftWords(context.language)
  const standing = await inDefaultSource(context, schema, signal)
  if (standing === undefined) return inWords(words.noAccess)
  if (!SOURCE_KINDS[standing.context.dialect].hasPipelines) return inWords(words.needsClickHouse)
  return draftFrom(standing.context, standing.schema, question, signal)
}

/** Returns the run over the default source, because pipelines work on no other. Undefined if the asker may not use it. */
async function inDefaultSource(context: RunContext, schema: Schema, signal: AbortSignal) {
  const { sources, source, planned } = context
  if (sources === undefined) return { context, schema }
  const standing = sources.find(({ config }) => config.isDefault)
  if (standing === undefined) return undefined
  return planned === undefined && source?.isDefault !== false ? { context, schema } : inSource(context, standing, signal)
}

/** Writes a draft, and writes it again with what was wrong, until it works or the attempts are used up. */
async function draftFrom(context: RunContext, whole: Schema, question: string, signal: AbortSignal): Promise<Answer> {
  const before = draftOf(context.request.conversation)
  const about = { text: [question, ...(before?.asked ?? [])].join('\n'), context: context.request.question }
  const hints = new Map(before?.tables.map(table => [table, 1]))
  const schema = await focusSchema(context, whole, { ...about, hints }, signal)
  const failed: FailedDraft[] = []
  while (failed.length <= AGENT_LIMITS.draft.repairs) {
    const written = await writeDraft(context, { schema, question, failed }, signal)
    const answer = await answerInstead(context, written, { whole, question }, signal)
    if (answer !== undefined) return answer
    const yaml = draftAsYaml(written, context.request.time_zone)
    const checked = await checkDraft(context, { yaml, schema, attempt: failed.length + 1 }, signal)
    if (checked.kind === 'sound') return sound(context, { yaml, checked, before, question }, signal)
    failed.push({ yaml, message: checked.message })
  }
  context.telemetry?.({ kind: 'draft', outcome: 'failed' })
  return failure(context, { failed, before, question })
}

/** Returns the answer if the model has not written a draft, but asked back or said why there is none. */
async function answerInstead(
  context: RunContext,
  { clarification, datasource, error }: WrittenDraft,
  { whole, question }: { readonly whole: Schema; readonly question: string },
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const which = datasourceQuestion(datasource, whole)
  if (which !== null) {
    const sourced = await chooseDatasource(context, { schema: whole, question }, which, signal)
    const own = { ...context, schemaSource: sourced.schemaSource }
    return { question: sourced.question, ...(await draftFrom(own, sourced.schema, sourced.question, signal)) }
  }
  if (clarification !== null && clarification.question.trim() !== '') throw askedBack(clarification)
  const why = error?.trim() ?? ''
  return why === '' ? undefined : inWords(why)
}

/** The person's request, and the draft of the conversation before it. */
interface Asked {
  readonly before: PipelineDraft | null
  readonly question: string
}

/** Explains a draft that works, with what the person should know before, and confirms it. */
async function sound(
  context: RunContext,
  { yaml, checked, before, question }: Asked & { readonly yaml: string; readonly checked: SoundDraft },
  signal: AbortSignal,
): Promise<Answer> {
  const name = nameIn(yaml)
  const { budget, language, source } = context
  const onlyDefault = source === undefined ? [] : [draftWords(language).onlyDefault(code(source.id))]
  const warnings = [...warningsOf(checked, name, budget, language), ...onlyDefault]
  const isRevision = before?.name === name || before?.tables.some(table => checked.tables.includes(table)) === true
  const asked = [...(isRevision ? before.asked : []), question].slice(-AGENT_LIMITS.draft.requests)
  const draft: PipelineDraft = { version: 1, name, yaml, asked, is_valid: true, warnings, tables: checked.tables }
  return confirm(context, draft, explainDraft({ yaml, checked, warnings }, language), signal)
}

/** Shows the draft, and asks whether to hand over its file. If nobody can be asked, hands it over at once. */
async function confirm(context: RunContext, draft: PipelineDraft, explanation: string, signal: AbortSignal): Promise<Answer> {
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
    choices: [{ value: 'hand_over', label: words.handOver }],
    takes_words: true,
  } as const
  try {
    await askPerson(context, { step: 'confirm_draft', attempt: 1 }, { yaml }, interrupt, signal)
    tell('handed_over')
    return { ...inWords(handedOver), draft }
  } catch (error) {
    // The draft is remembered while the person thinks, so that their next words can change it.
    const shown = { ...asked(error), draft }
    tell('shown')
    return shown
  }
}

/** Says what was tried. An earlier draft that works stays; without one, the failed draft can be changed in words too. */
function failure(
  { language }: RunContext,
  { failed, before, question }: Asked & { readonly failed: readonly FailedDraft[] },
): Answer {
  const words = draftWords(language)
  const yaml = failed.at(-1)?.yaml ?? ''
  const tried = failed.map(({ message }, index) => `${index + 1}. ${onOneLine(message, AGENT_LIMITS.draft.errorCharacters)}`)
  const markdown = [
    words.failed(failed.length),
    tried.join('\n'),
    codeBlock('yaml', yaml),
    before?.is_valid === true ? words.draftKept : words.sayOtherwise,
  ].join('\n\n')
  const warnings = failed.slice(-1).map(({ message }) => message)
  const common = { version: 1, name: nameIn(yaml), yaml, is_valid: false } as const
  return { ...inWords(markdown), draft: { ...common, asked: [question], warnings, tables: [] } }
}

/** Returns the name at the head of a definition that the program has written. */
function nameIn(yaml: string): string {
  return /^name: (\S+)$/m.exec(yaml)?.[1] ?? ''
}
