import { once } from 'node:events'
import type { AuditLine } from '../../audit/line.ts'
import { mergedByTime } from '../../audit/merged-by-time.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { openAuditStores } from '../audit.ts'
import { type CommandContext, EXIT } from './command-context.ts'

export interface AuditOptions {
  readonly person?: string
  /** Unix times in milliseconds. */
  readonly from: number
  readonly to?: number
  readonly json: boolean
}

/** `clew audit`: prints the lines of the audit log, the newest last. Needs little memory, however many lines there are. */
export async function auditCommand(context: CommandContext, { json, to = Date.now(), ...asked }: AuditOptions): Promise<number> {
  const { output, signal } = context
  const stores = await openAuditStores(context, signal)
  for await (const line of mergedByTime(stores.map(store => store.read({ ...asked, to }, signal)))) {
    const text = json ? JSON.stringify({ ...line, at: new Date(line.at).toISOString() }) : terminalText(lineText(line))
    if (!output.write(`${text}\n`)) await once(output, 'drain', { signal })
  }
  return EXIT.answered
}

function lineText(line: AuditLine): string {
  const { kind, person, platform, channel, role, run, step, source, subject, outcome, sql_sha256: hash } = line
  const [date = '', time = ''] = new Date(line.at).toISOString().split('T')
  const counts = [
    [line.tokens_in + line.tokens_out, `${line.tokens_in} → ${line.tokens_out} tokens`],
    [line.cost ?? 0, `$${line.cost}`],
    [line.rows, `${line.rows} rows`],
    [line.bytes, `${line.bytes} bytes read`],
    [line.duration_ms, `${line.duration_ms} ms`],
  ] as const
  const cells = [
    `${date} ${time.replace('Z', '')}`,
    kind.padEnd(10),
    (person || '–').padEnd(20),
    platform && `in ${[platform, channel].filter(Boolean).join('/')}`,
    role && `as ${role}`,
    run,
    kind === 'model_call' || kind === 'query' ? step : '',
    source,
    subject,
    outcome,
    hash && `sha256:${hash.slice(0, 12)}`,
    ...counts.flatMap(([count, text]) => (count === 0 ? [] : [text])),
  ]
  return cells.filter(cell => cell !== '').join('  ')
}
