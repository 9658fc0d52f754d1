import type { RunResult } from '../../agent/run/result.ts'
import { sourcesView, sqlViews } from '../../bots/terminal/answer-view.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import type { FormatSql } from '../../warehouse/format-sql.ts'
import { chatWords } from '../../words/chat.ts'
import type { CommandContext } from './command-context.ts'

/** Shows the sources of an answer's figures, and the SQL. Without `--sources`, only tells how to see them. */
export async function showSources(
  { output, errorOutput, signal }: CommandContext,
  formatSql: FormatSql,
  { sources }: { readonly sources?: boolean },
  { language, queries, figures }: Pick<RunResult, 'language' | 'queries' | 'figures'>,
): Promise<void> {
  const words = chatWords(language)
  if (sources !== true) return void errorOutput.write(`${viewOf(errorOutput).style('dim', words.seeSources)}\n`)
  const view = viewOf(output)
  const sql = await sqlViews(queries, formatSql, { view, language }, signal)
  output.write(`\n${[sourcesView(figures, view, language) || words.noSources, ...sql].join('\n\n')}\n`)
}
