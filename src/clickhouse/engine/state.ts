import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withTimeLimit } from '../../base/with-time-limit.ts'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import { ENGINE_PATHS, type EngineState, engineStateSchema } from './options.ts'

/** Returns the engine that serves a directory. Returns undefined if none serves it, even if a dead engine left its state file. */
export async function findEngine(directory: string, signal: AbortSignal): Promise<EngineState | undefined> {
  const state = await readState(directory)
  if (state === undefined || !(await proves(state, signal))) return undefined
  return state
}

async function readState(directory: string): Promise<EngineState | undefined> {
  try {
    const parsed = engineStateSchema.safeParse(JSON.parse(await readFile(join(directory, ENGINE_PATHS.state), 'utf8')))
    return parsed.data
  } catch {
    return undefined
  }
}

/** Whether the program on the port is the engine. Another program may have taken the port of a dead engine, and must not receive a password. */
async function proves(state: EngineState, signal: AbortSignal): Promise<boolean> {
  const nonce = randomBytes(16).toString('hex')
  const expected = createHmac('sha256', state.proofKey).update(nonce).digest()
  try {
    const response = await fetch(`http://127.0.0.1:${state.port}/engine/proof?nonce=${nonce}`, {
      signal: withTimeLimit(signal, CLICKHOUSE_LIMITS.engine.proofMs),
    })
    const given = Buffer.from(await response.text(), 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  } catch {
    signal.throwIfAborted()
    return false
  }
}
