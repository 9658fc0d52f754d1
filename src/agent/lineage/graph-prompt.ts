import { fenceData } from '../../llm/data-fence.ts'
import type { LineageRun } from '../../pipelines/lineage/seen-run.ts'
import { LINEAGE_LIMITS } from '../limits.ts'
import { driftSentence } from './input-drift.ts'
import type { LineageResult } from './result.ts'
import type { LineageToolbox } from './toolbox.ts'

const HIDDEN = 'reads a source that the asker may not see, so its SQL, columns and errors are hidden'

/** Lists a run's tables for the model, one per line. After them, says where the columns of the target tables come from. */
export function graphPrompt(toolbox: LineageToolbox): string {
  const result = toolbox.listGraphNodes()
  if (!result.ok) return result.message
  const { promptTables: most } = LINEAGE_LIMITS
  const left = result.nodes.length - most
  const lines = result.nodes
    .slice(0, most)
    .map(({ table, label, kind, state, rows, rows_now: now, made_from: from, is_hidden: isHidden }) => {
      const counts = [rows === null ? '' : `${rows} rows in the run`, now === null || now === rows ? '' : `${now} now`]
      const facts = [kind, state, ...counts, from.length === 0 ? '' : `made from ${from.join(', ')}`, isHidden ? HIDDEN : '']
      return `- ${label}: ${table} (${facts.filter(fact => fact !== '').join('; ')})`
    })
  const origins = toolbox
    .columnOrigins()
    .flatMap(({ label, lines: columns }) => [`Columns of ${label}, through all steps:`, ...columns.map(line => `- ${line}`)])
  const more = left > 0 ? [`… and ${left} more tables: get_op_sql tells what each is made from.`] : []
  return fenceData('tables', [...lines, ...more, ...origins].join('\n'))
}

/** Describes a run and its replay to the model. */
export function runPrompt(run: LineageRun, replay: LineageResult['replay']): string {
  const times = [run.startedAt, run.finishedAt].map(time => time?.toISOString() ?? 'unknown')
  const facts = [
    `Job ${run.job}, run ${run.id}: ${run.status}, from ${times[0]} to ${times[1]}.`,
    run.arguments === undefined ? '' : `Arguments: ${JSON.stringify(run.arguments)}.`,
    run.isRepeatable ? '' : 'Another runner ran and logged it, so it cannot be replayed.',
    run.error === '' ? '' : `It ended with: ${run.error}`,
    run.isPartial ? 'The asker may not see all of it: say so where it matters. It cannot be replayed for them.' : '',
  ]
  const repeated =
    replay === null
      ? ''
      : `\nIt has been repeated, with every table kept: the tables below are the replay's. ${driftSentence(replay.drift) || 'The inputs have as many rows as they had.'}`
  return fenceData('run', facts.filter(fact => fact !== '').join('\n')) + repeated
}
