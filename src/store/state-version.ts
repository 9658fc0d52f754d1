import { ConfigurationError } from '../base/errors.ts'
import type { RedisClient } from './redis/client.ts'
import { storeError } from './store-error.ts'

/**
 * The version of what Clew stores in Redis. It rises only if a process of the version before would misread or lose what this one
 * writes. A new key, or a new optional field, does not raise it.
 */
export const STATE_VERSION = 1

const KEY = 'clew:state-version'

/**
 * Checks that no newer version of Clew has written to this Redis, and notes the version of this process.
 * @throws ConfigurationError if a newer one has; StoreError
 */
export async function checkStateVersion(redis: RedisClient, own: number = STATE_VERSION): Promise<void> {
  try {
    const noted = Number((await redis.get(KEY)) ?? 0)
    if (noted < own) await redis.set(KEY, own)
    if (noted <= own) return
  } catch (error) {
    throw storeError(error)
  }
  throw new ConfigurationError(
    'A newer version of Clew has written to this Redis, and this one would lose what it holds. Start the newer version, or use another Redis.',
  )
}
