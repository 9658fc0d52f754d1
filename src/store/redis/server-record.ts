import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { STORE_LIMITS } from '../limits.ts'

/**
 * The record in a private Redis folder: which supervisor has claimed the folder, and how to reach its server. A supervisor writes
 * it before it starts a server. So a folder never has two servers.
 */
const redisServerRecordSchema = z.object({
  claim: z.string(),
  supervisorPid: z.number().int(),
  claimedAt: z.number(),
  state: z.enum(['starting', 'serving']),
  port: z.number().int().min(1).max(65_535),
  password: z.string(),
})
export type RedisServerRecord = z.infer<typeof redisServerRecordSchema>

/** Returns the record of a folder's server. Undefined if it is missing or unreadable. */
export async function readServerRecord(directory: string): Promise<RedisServerRecord | undefined> {
  const text = await readFile(recordPath(directory), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return redisServerRecordSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Replaces the record of a folder's server atomically. Only the file's owner may read it, because it contains the password. */
export async function writeServerRecord(directory: string, record: RedisServerRecord): Promise<void> {
  const draft = `${recordPath(directory)}.${record.claim}`
  await writeFile(draft, JSON.stringify(record), { mode: 0o600 })
  await rename(draft, recordPath(directory))
}

/**
 * Claims a folder whose former claim is dead. If several supervisors do this at the same time, the last one to write wins. Each
 * waits until all have written, and then checks whether it has won.
 * @returns whether this supervisor has won
 */
export async function claimDirectory(directory: string, record: RedisServerRecord): Promise<boolean> {
  await writeServerRecord(directory, record)
  await wait(STORE_LIMITS.embedded.settleMs)
  return holdsDirectory(directory, record.claim)
}

async function holdsDirectory(directory: string, claim: string): Promise<boolean> {
  return (await readServerRecord(directory))?.claim === claim
}

/** Removes the record of a folder's server, if it is still the record of this claim. */
export async function releaseDirectory(directory: string, claim: string): Promise<void> {
  if (await holdsDirectory(directory, claim)) await rm(recordPath(directory), { force: true })
}

function recordPath(directory: string): string {
  return join(directory, 'server.json')
}
