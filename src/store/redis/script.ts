import { createHash } from 'node:crypto'
import { isUnknownScriptReply, storeError } from '../store-error.ts'
import type { RedisConnection } from './client.ts'

/** A script in the language Lua that Redis runs atomically. */
export interface RedisScript {
  readonly lua: string
  readonly sha: string
}

export function redisScript(lua: string): RedisScript {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}

/**
 * Runs a script by its digest. If the server does not know the script, sends the text.
 * @param keys the keys, which must all be in one hash slot
 * @throws StoreError
 */
export async function runScript(
  redis: RedisConnection,
  script: RedisScript,
  keys: readonly string[],
  values: readonly (string | number | Buffer)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(script.sha, keys.length, ...keys, ...values)
  } catch (error) {
    if (!isUnknownScriptReply(error)) throw storeError(error)
  }
  try {
    return await redis.eval(script.lua, keys.length, ...keys, ...values)
  } catch (error) {
    throw storeError(error)
  }
}
