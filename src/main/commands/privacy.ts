import { readFile } from 'node:fs/promises'
import { packageFile } from '../../base/package-files.ts'
import { terminalMarkdown } from '../../bots/terminal/markdown.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import type { Config } from '../config.ts'
import { type CommandContext, EXIT } from './command-context.ts'

const DAY_S = 86_400

/** `clew privacy`: lists what leaves the machine and what Clew keeps, with the times of this configuration. */
export async function privacyCommand({ config, output }: CommandContext): Promise<number> {
  const text = keptText(await readFile(packageFile('docs', 'privacy.md'), 'utf8'), config)
  output.write(`${terminalMarkdown(text, viewOf(output))}\n`)
  return EXIT.answered
}

/** Returns the sections of the document about privacy that list data. Variables in them become the times that are set. */
function keptText(document: string, { retention, audit, warehouse }: Pick<Config, 'retention' | 'audit' | 'warehouse'>): string {
  const seconds: Readonly<Record<string, number>> = {
    CLEW_HISTORY_RETENTION_DAYS: retention.history,
    CLEW_TRACE_RETENTION_DAYS: retention.traces,
    CLEW_RESULT_RETENTION_DAYS: retention.results,
    CLEW_FEEDBACK_RETENTION_DAYS: retention.feedback,
    CLEW_AUDIT_RETENTION_DAYS: audit.retentionSeconds,
  }
  const { privateColumns } = warehouse
  const marked = privateColumns.length === 0 ? 'None is marked: set CLEW_PRIVATE_COLUMNS.' : privateColumns.join(', ')
  return document
    .split(/^(?=## )/m)
    .filter(section => section.startsWith('## What '))
    .concat(`## Private columns\n\n${marked}\n`)
    .join('')
    .replace(/`(CLEW_\w+_DAYS)` \(\d+\)/g, (written, name: string) => {
      const kept = seconds[name]
      return kept === undefined ? written : `${kept / DAY_S} days (${name})`
    })
    .replace(/\[([^\]\n]{1,80})\]\([^)\n]{1,80}\)/g, '$1')
}
