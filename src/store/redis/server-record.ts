import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'

/** Says who serves a private Redis folder. A supervisor claims the folder with it before it starts a server, so that two never serve one. */
const redisServerRecordSchema = z.object({
  /** Identifies a claim. */
  claim: z.string(),
  supervisorPid: z.number().int(),
  claimedAt: z.number(),
  state: z.enum(['starting', 'serving']),
  port: z.number().int().min(1).max(65_535),
  password: z.string(),
})
export type RedisServerRecord = z.infer<typeof redisServerRecordSchema>

/** Longer than two racing supervisors take between reading a stale claim and replacing it. */
const SETTLE_MS = 250

/** Returns the record, or undefined if none is readable. */
export async function readServerRecord(directory: string): Promise<RedisServerRecord | undefined> {
  const text = await readFile(recordPath(directory), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return redisServerRecordSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Replaces the record atomically. Only its owner may read it, since it contains the password. */
export async function writeServerRecord(directory: string, record: RedisServerRecord): Promise<void> {
  const draft = `${recordPath(directory)}.${record.claim}`
  await writeFile(draft, JSON.stringify(record), { mode: 0o600 })
  await rename(draft, recordPath(directory))
}

/**
 * Claims a folder whose former claim is dead. Of several at once the last one wins, and each checks after all have written.
 * @returns whether the folder is ours
 */
export async function claimDirectory(directory: string, record: RedisServerRecord): Promise<boolean> {
  await writeServerRecord(directory, record)
  await wait(SETTLE_MS)
  return holdsDirectory(directory, record.claim)
}

async function holdsDirectory(directory: string, claim: string): Promise<boolean> {
  return (await readServerRecord(directory))?.claim === claim
}

/** Removes the record if it still has this claim. */
export async function releaseDirectory(directory: string, claim: string): Promise<void> {
  if (await holdsDirectory(directory, claim)) await rm(recordPath(directory), { force: true })
}

function recordPath(directory: string): string {
  return join(directory, 'server.json')
}
