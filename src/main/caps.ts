import { homedir } from 'node:os'
import { basename } from 'node:path'
import { askerName } from '../queue/asker.ts'
import { Caps, floodCaps } from '../queue/usage/caps.ts'
import type { RedisClient } from '../store/redis/client.ts'
import type { WiringContext } from './store.ts'

/** Wires the caps of the operator and those against floods. Counts from now on what this process uses. */
export function wireCaps({ config, logger, observers }: WiringContext, redis: RedisClient): Caps {
  const { timeZone, allowance } = config
  const caps = new Caps({ redis, caps: [...floodCaps(allowance), ...config.caps], timeZone, now: Date.now, logger })
  observers?.add(caps.observe)
  return caps
}

/** The person at the terminal: the user of the system. */
export const TERMINAL_PERSON = askerName({ platform: 'terminal' }, basename(homedir()))
