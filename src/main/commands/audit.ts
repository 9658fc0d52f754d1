import { once } from 'node:events'
import type { AuditLine } from '../../audit/line.ts'
import { mergedByTime } from '../../audit/merged-by-time.ts'
import type { AuditFilter } from '../../audit/store.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { openAuditStores } from '../audit.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

export interface AuditOptions extends Pick<AuditFilter, 'person' | 'from'> {
  /** Unix time in milliseconds. Default: now. */
  readonly to?: number
  readonly json: boolean
}

const EMPTY_RANGE = 'The range is empty: --to is before --from, which is seven days ago unless it is given.'

/** `clew audit`: prints the lines of the audit log, the newest last, as they are read. */
export async function auditCommand(context: CommandContext, { json, to = Date.now(), ...asked }: AuditOptions): Promise<number> {
  const { output, signal } = context
  const stores = await openAuditStores(context, signal)
  let isEmpty = true
  for await (const line of mergedByTime(stores.map(store => store.read({ ...asked, to }, signal)))) {
    isEmpty = false
    const text = json ? JSON.stringify({ ...line, at: new Date(line.at).toISOString() }) : terminalText(lineText(line))
    if (!output.write(`${text}\n`)) await once(output, 'drain', { signal })
  }
  // Scripts see by the output that there is nothing. A person may wonder why.
  if (isEmpty && !json) tell(context, asked.from > to ? EMPTY_RANGE : 'The audit log has no such lines.')
  return EXIT.answered
}

function lineText({ at, kind, person, platform, channel, ...line }: AuditLine): string {
  const { role, run, step, source, subject, outcome, sql_sha256: hash, tokens_in, tokens_out, cost, rows, bytes } = line
  const cells = [
    new Date(at).toISOString(),
    kind.padEnd(10),
    (person || '–').padEnd(20),
    platform && `in ${[platform, channel].filter(Boolean).join('/')}`,
    role && `as ${role}`,
    ...[run, step, source, subject, outcome],
    hash && `sha256:${hash.slice(0, 12)}`,
    tokens_in + tokens_out > 0 && `${tokens_in} → ${tokens_out} tokens`,
    cost !== null && `$${cost}`,
    rows > 0 && `${rows} ${rows === 1 ? 'row' : 'rows'}`,
    bytes > 0 && `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`,
    line.duration_ms > 0 && `${line.duration_ms} ms`,
  ]
  return cells.filter(Boolean).join('  ')
}
