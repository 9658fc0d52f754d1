import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { STORE_LIMITS } from '../limits.ts'

/**
 * The record of who serves a private Redis folder. A supervisor claims the folder with a record before it starts a server. So a folder never has two
 * servers.
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

/** Returns the record of a folder, or undefined if there is no readable record. */
export async function readServerRecord(directory: string): Promise<RedisServerRecord | undefined> {
  const text = await readFile(recordPath(directory), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return redisServerRecordSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Replaces the record atomically. The record contains the password, so only the owner of the file may read it. */
export async function writeServerRecord(directory: string, record: RedisServerRecord): Promise<void> {
  const draft = `${recordPath(directory)}.${record.claim}`
  await writeFile(draft, JSON.stringify(record), { mode: 0o600 })
  await rename(draft, recordPath(directory))
}

/**
 * Claims a folder whose former claim is dead. If several supervisors claim the folder at the same time, the last claim wins. Each supervisor waits
 * until all have written, and then checks which one won.
 * @returns whether this supervisor won
 */
export async function claimDirectory(directory: string, record: RedisServerRecord): Promise<boolean> {
  await writeServerRecord(directory, record)
  await wait(STORE_LIMITS.embedded.settleMs)
  return holdsDirectory(directory, record.claim)
}

async function holdsDirectory(directory: string, claim: string): Promise<boolean> {
  return (await readServerRecord(directory))?.claim === claim
}

/** Removes the record if it still holds this claim. */
export async function releaseDirectory(directory: string, claim: string): Promise<void> {
  if (await holdsDirectory(directory, claim)) await rm(recordPath(directory), { force: true })
}

function recordPath(directory: string): string {
  return join(directory, 'server.json')
}
