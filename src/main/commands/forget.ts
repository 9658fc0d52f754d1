import { createHmac, randomUUID } from 'node:crypto'
import { auditLineSchema } from '../../audit/line.ts'
import { readLine } from '../../bots/terminal/ask-at-terminal.ts'
import { HTTP_PLATFORM } from '../../http/place.ts'
import { Tokens } from '../../http/tokens.ts'
import { forgetInRedis } from '../../privacy/forget-in-redis.ts'
import { TracesOfPerson } from '../../privacy/traces-of-person.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { type WrittenAnew, writeFilesAnew } from '../../store/redis/write-files-anew.ts'
import { openAuditStores } from '../audit.ts'
import { wireRedis } from '../store.ts'
import { TERMINAL_PERSON } from '../terminal-person.ts'
import { openPrompt } from './ask.ts'
import { checkPerson } from './check-person.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

const FILES: Readonly<Record<WrittenAnew, string>> = {
  written: 'Redis has written its files anew: they hold nothing of what was deleted.',
  denied:
    'The files of Redis still hold the deleted bytes, because this user may not write them anew: run BGREWRITEAOF and BGSAVE as an administrator.',
  late: 'Redis is still writing its files anew. They hold the deleted bytes until it is done; INFO persistence tells.',
}

const KEPT = `Kept:
- audit lines, because they tell what was used and paid: with a keyed hash in place of the name, and without channels
- what Clew has posted in Slack and Discord: delete it there
- system.query_log of ClickHouse, reasons of replays, logs of Clew's processes, backups
- what is being answered and pressed at this moment: run this command again in an hour`

/** `clew forget --person P`: deletes what Clew keeps of one person. Without `--yes`, shows what that is, and asks. */
export async function forgetCommand(
  context: CommandContext,
  { person, yes }: { readonly person: string; readonly yes: boolean },
): Promise<number> {
  const { output, errorOutput, signal } = context
  checkPerson(person)
  const redis = await wireRedis(context, 'worker', signal)
  const stores = await openAuditStores(context, signal)
  const traces = new TracesOfPerson(person)
  // At the console, the person has asked by a token.
  const tokens = new Tokens({ redis, now: Date.now })
  const own = (await tokens.list(signal)).filter(token => token.person === person)
  const all = [traces, ...own.map(({ id }) => new TracesOfPerson(`${HTTP_PLATFORM}/${id}`))]
  let lines = 0
  for (const store of stores) {
    for await (const { run } of store.read({ person, from: 0, to: Date.now() }, signal)) {
      lines += 1
      if (run !== '') traces.runs.add(run)
    }
  }
  const report = (counts: ReadonlyMap<string, number>) =>
    [...[...counts].map(([kind, count]) => `- ${kind}: ${count}`), `- names in audit lines: ${lines}`, KEPT, ''].join('\n')
  if (!yes) {
    output.write(`To delete:\n${report(await forgetAll(redis, all, true, signal))}`)
    if (!(process.stdin.isTTY && errorOutput.isTTY)) {
      tell(context, 'Nothing was deleted. Add --yes to delete it.')
      return EXIT.failed
    }
    const prompt = openPrompt(context)
    const reply = await readLine(prompt, 'Delete it? (yes) ', signal).finally(() => prompt.close())
    if (reply?.trim() !== 'yes') return EXIT.failed
  }
  for (const { id } of own) await tokens.remove(id, signal)
  const counts = await forgetAll(redis, all, false, signal)
  // The audit lines come last, because they tell which runs are the person's if this breaks off.
  const name = `forgotten/${createHmac('sha256', redis.stateKey).update(`forgotten ${person}`).digest('hex').slice(0, 16)}`
  for (const store of stores) await store.forget(person, name, signal)
  const done = { at: Date.now(), id: randomUUID(), kind: 'forget', person: TERMINAL_PERSON, platform: 'terminal', subject: name }
  await stores[0]?.append([auditLineSchema.parse({ ...done, outcome: 'done' })], signal)
  output.write(`Deleted:\n${report(counts)}${FILES[await writeFilesAnew(redis, signal)]}\n`)
  return EXIT.answered
}

/** Deletes what Redis has of a person under each of the person's names. @returns the sums of `forgetInRedis` */
async function forgetAll(redis: RedisClient, names: readonly TracesOfPerson[], isTrial: boolean, signal: AbortSignal) {
  const sums = new Map<string, number>()
  for (const traces of names) {
    const counts = await forgetInRedis({ redis, traces, isTrial }, signal)
    for (const [kind, count] of counts) sums.set(kind, (sums.get(kind) ?? 0) + count)
  }
  return sums
}
