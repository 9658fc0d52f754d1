import { codeBlock } from '../../base/text/code-block.ts'
import { type JobStep, jobSteps, parseJobDefinition } from '../../pipelines/jobs/definition.ts'
import { PIPELINES_LIMITS } from '../../pipelines/limits.ts'
import { templatePlaceholders } from '../../pipelines/sql-template.ts'
import { type CostBudget, overBudget } from '../../warehouse/cost/budget.ts'
import { describeCost } from '../../warehouse/cost/describe-cost.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import { isNamedIn } from '../../warehouse/table-names.ts'
import { draftWords } from '../../words/draft.ts'
import type { Language } from '../../words/language.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { resultTable } from '../write/result-table.ts'
import type { SoundDraft } from './check-draft.ts'
import { scheduleInWords } from './schedule-words.ts'

/** Explains a draft that works: its steps with their SQL, its target and schedule, what a run reads and makes, and a sample. */
export function explainDraft(
  { yaml, checked, warnings }: { readonly yaml: string; readonly checked: SoundDraft; readonly warnings: readonly string[] },
  language: Language,
): string {
  const words = draftWords(language)
  const definition = parseJobDefinition(yaml)
  const { name, description, arguments: values, target, schedule, time_zone: zone } = definition
  const steps = jobSteps(definition)
  const given = Object.entries(values).map(([argument, value]) => code(`${argument} = ${JSON.stringify(value)}`))
  const facts = [
    words.target(code(target.table)),
    given.length === 0 ? '' : words.arguments(given.join(', ')),
    schedule === undefined ? words.runsOnDemand : words.runs(scheduleInWords(schedule, language), zone),
    checked.estimate?.tables.length ? words.reads(describeCost(checked.estimate, language)) : '',
    checked.makes === null ? '' : words.makes(checked.makes),
  ]
  return [
    words.headline(code(name), onOneLine(description, AGENT_LIMITS.notes.remarkCharacters)),
    steps.map((step, index) => `${index + 1}. ${stepLine(step, checked, language)}`).join('\n'),
    facts.filter(fact => fact !== '').join(' '),
    codeBlock('sql', steps.map(step => `-- ${step.name}\n${step.sql}`).join('\n\n')),
    triedText(checked, language),
    warnings.map(warning => `- ${warning}`).join('\n'),
  ]
    .filter(part => part !== '')
    .join('\n\n')
}

/** Returns what the person should know before a draft that works is set up. */
export function warningsOf(checked: SoundDraft, name: string, budget: CostBudget, language: Language): readonly string[] {
  const words = draftWords(language)
  const excess = checked.estimate === null ? null : overBudget(checked.estimate, budget, language)
  return [
    ...(checked.not_tried === null ? [] : [words.notTried[checked.not_tried]]),
    ...(checked.may_read ? [] : [words.mayNotRead]),
    ...(excess === null ? [] : [words.overBudget(excess)]),
    ...(checked.is_known ? [words.isKnown(code(name))] : []),
  ]
}

function stepLine({ name, description, sql, isInput }: JobStep, { tables }: SoundDraft, language: Language): string {
  const words = draftWords(language)
  const read = isInput ? tables.filter(table => isNamedIn(sql, table)) : templatePlaceholders(sql).tables
  const line = words[isInput ? 'input' : 'operation'](code(name), read.map(code).join(', ') || words.nothing)
  return `${line} ${onOneLine(description, AGENT_LIMITS.notes.remarkCharacters)}`.trimEnd()
}

function triedText({ tried }: SoundDraft, language: Language): string {
  if (tried === null) return ''
  const sentence = draftWords(language).tried(PIPELINES_LIMITS.trial.inputRows, tried.row_count)
  return tried.rows.length === 0 ? sentence : `${sentence}\n\n${resultTable(tried, PIPELINES_LIMITS.trial.shownRows)}`
}

export function code(text: string): string {
  return `\`${onOneLine(text, AGENT_LIMITS.understand.nameCharacters)}\``
}
