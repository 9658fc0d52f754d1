import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigurationError, errorCode } from '../base/errors.ts'
import { fileReason } from '../base/file-reason.ts'
import type { RedisClient } from './redis/client.ts'
import { keyFingerprint, type StateKey } from './signed-text.ts'
import { storeError } from './store-error.ts'

/**
 * Reads the signing key from a file. If there is no file, creates it with a new key.
 * @throws ConfigurationError if the file can be neither read nor created
 */
export async function keptStateKey(file: string): Promise<StateKey> {
  try {
    return (await readKey(file)) ?? (await makeKey(file))
  } catch (error) {
    const sentence = `The key that signs what Clew keeps in Redis is ${file}, which cannot be read or written: ${fileReason(error)}.`
    throw new ConfigurationError(`${sentence} Set CLEW_STATE_KEY, the same for every process.`, { cause: error })
  }
}

async function readKey(file: string): Promise<StateKey | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  return text.trim() === '' ? undefined : text.trim()
}

/** Creates the key file. If several processes do so at once, the first file stays, and all of them use the key in it. */
async function makeKey(file: string): Promise<StateKey> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
  try {
    await link(draft, file).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  const key = await readKey(file)
  if (key === undefined) throw new Error('it is empty')
  return key
}

/**
 * The Redis key under which the first process stores a fingerprint of the signing key. Later processes compare it with theirs.
 */
const FINGERPRINT = 'clew:state-key'

/**
 * Checks that all processes use the same signing key. With different keys, each process would treat the records of the others as
 * forged.
 * @throws ConfigurationError if other processes use another key; StoreError
 */
export async function checkStateKey(redis: RedisClient): Promise<void> {
  const own = keyFingerprint(redis.stateKey)
  const noted = await redis
    .set(FINGERPRINT, own, 'NX')
    .then(() => redis.get(FINGERPRINT))
    .catch((error: unknown) => {
      throw storeError(error)
    })
  if (noted === own) return
  throw new ConfigurationError(
    `What stands in this Redis is signed with another key. Set CLEW_STATE_KEY to the same for every process (without it, each user has one of its own in ~/.clew/state-key). After a change of the key, delete ${FINGERPRINT} from Redis: earlier conversations are then forgotten.`,
  )
}
