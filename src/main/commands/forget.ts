import { createHmac, randomUUID } from 'node:crypto'
import { auditLineSchema } from '../../audit/line.ts'
import type { AuditStore } from '../../audit/store.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { readLine } from '../../bots/terminal/ask-at-terminal.ts'
import { JobStore } from '../../pipelines/jobs/store.ts'
import { type Forgotten, forgetInRedis } from '../../privacy/forget-in-redis.ts'
import { TracesOfPerson } from '../../privacy/traces-of-person.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { type WrittenAnew, writeFilesAnew } from '../../store/redis/write-files-anew.ts'
import { openAuditStores } from '../audit.ts'
import { localSubject } from '../local-subject.ts'
import { openState } from '../pipelines.ts'
import { wireRedis } from '../store.ts'
import { openPrompt } from './ask.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

export interface ForgetOptions {
  readonly person: string
  readonly yes: boolean
}

const FILES: Readonly<Record<WrittenAnew, string>> = {
  written: 'Redis has written its files anew: they hold nothing of what was deleted. Backups of them do.',
  denied:
    'Redis still has the deleted bytes in its files, because this user may not write them anew: run BGREWRITEAOF and BGSAVE as its administrator.',
  late: 'Redis is still writing its files anew. They hold the deleted bytes until it is done: INFO persistence tells.',
}

const KEPT = `Kept:
- lines of the audit log, with a keyed hash in place of the name and without channels, because they tell what was used and paid
- Slack and Discord: the answers that Clew has posted; delete them there
- ClickHouse: system.query_log and other logs of the server, and replaced parts of tables until old_parts_lifetime is over
- definitions of pipelines, and the tables that jobs have published
- what is being answered at this moment, and jobs in hand: run this command again after an hour
- logs of Clew's processes, which hold ids, and backups`

/** `clew forget --person P`: deletes what Clew keeps of one person. Without `--yes`, shows what that is, and asks. */
export async function forgetCommand(context: CommandContext, { person, yes }: ForgetOptions): Promise<number> {
  const { output, errorOutput, signal } = context
  if (!/^[a-z]+\/[^/\s"\\]+$/.test(person))
    throw new ConfigurationError('--person is platform/id, as `clew audit` shows it: slack/U012ABC.')
  const redis = await wireRedis(context, 'worker', signal)
  const stores = await openAuditStores(context, signal)
  const found = { traces: new TracesOfPerson(person), lines: 0, replayed: new Set<string>() }
  for (const store of stores) {
    for await (const { kind, run, subject } of store.read({ person, from: 0, to: Date.now() }, signal)) {
      found.lines += 1
      if (run !== '') found.traces.runs.add(run)
      if (kind === 'replay') found.replayed.add(subject)
    }
  }
  if (!yes) {
    const counts = await forgetInRedis({ redis, traces: found.traces, isTrial: true }, signal)
    output.write(`Of ${person}, there would be deleted:\n${listed(counts)}${found.lines} audit lines would lose the name.\n${KEPT}\n`)
    if (!(process.stdin.isTTY && errorOutput.isTTY)) {
      tell(context, 'Nothing was deleted. Add --yes to delete it.')
      return EXIT.failed
    }
    const prompt = openPrompt(context)
    const reply = await readLine(prompt, 'Delete it? (yes) ', signal).finally(() => prompt.close())
    if (reply?.trim() !== 'yes') return EXIT.failed
  }
  const counts = await forgetInRedis({ redis, traces: found.traces, isTrial: false }, signal)
  if (found.replayed.size > 0)
    await new JobStore(await openState(context, signal)).forgetReasons([...found.replayed], signal)
  const name = await forgetInAudit(stores, { person, redis }, signal)
  const files = FILES[await writeFilesAnew(redis, signal)]
  output.write(`Deleted:\n${listed(counts)}${found.lines} audit lines now name ${name}.\n${files}\n${KEPT}\n`)
  return EXIT.answered
}

function listed(counts: Forgotten): string {
  if (counts.size === 0) return '- nothing in Redis\n'
  return [...counts].map(([kind, count]) => `- ${kind}: ${count} ${count === 1 ? 'value' : 'values'} in Redis\n`).join('')
}

/** Takes a person's name out of the audit lines, and records that this was done. Returns the name that stands there now. */
async function forgetInAudit(
  stores: readonly AuditStore[],
  { person, redis }: { readonly person: string; readonly redis: RedisClient },
  signal: AbortSignal,
): Promise<string> {
  const digest = createHmac('sha256', redis.stateKey).update(`forgotten ${person}`).digest('hex').slice(0, 16)
  const name = `forgotten/${digest}`
  for (const store of stores) await store.forget(person, name, signal)
  const done = { at: Date.now(), id: randomUUID(), kind: 'forget', ...localSubject(), platform: 'terminal', subject: name }
  await stores[0]?.append([auditLineSchema.parse({ ...done, outcome: 'done' })], signal)
  return name
}
