import { userInfo } from 'node:os'
import type { Analyst } from '../agent/analyst.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import { askerName } from '../queue/asker.ts'
import { Caps, floodCaps } from '../queue/usage/caps.ts'
import { analystWithinCaps, CappedLanguageModel, checkCaps, type WithinCaps } from '../queue/usage/within-caps.ts'
import type { RedisClient } from '../store/redis/client.ts'
import type { WiringContext } from './store.ts'

/** Wires the caps of the operator and those against floods, and counts from now on what this process uses. */
export function wireCaps({ config, logger, observers }: WiringContext, redis: RedisClient): WithinCaps & { readonly caps: Caps } {
  const { timeZone } = config
  const caps = new Caps({ redis, caps: [...floodCaps(config.allowance), ...config.caps], timeZone, now: Date.now, logger })
  observers?.add(caps.observe)
  return { caps, timeZone, now: Date.now }
}

/** Holds the work of a process without a queue against the caps. */
export interface OwnCaps {
  model(model: LanguageModel): LanguageModel
  analyst(analyst: Pick<Analyst, 'ask'>): Pick<Analyst, 'ask'>
  /** @throws RunError if a cap is reached */
  check(signal: AbortSignal): Promise<void>
}

/**
 * Wires the caps for one person's process. Without Redis there are none, because nothing counts.
 * @param person the person for whom an analyst of this process answers
 */
export function withinOwnCaps(context: WiringContext, redis: RedisClient | undefined, person = ''): OwnCaps {
  if (redis === undefined) return { model: model => model, analyst: analyst => analyst, check: async () => undefined }
  const own = wireCaps(context, redis)
  return {
    model: model => new CappedLanguageModel(own, model),
    analyst: analyst => analystWithinCaps(own, person, analyst),
    check: signal => checkCaps(own, signal),
  }
}

/** Returns the name of the person at the terminal: the user of the system, or the user's number if it has no name. */
export function terminalPerson(): string {
  const nameOf = () => {
    try {
      return userInfo().username
    } catch {
      return String(process.getuid?.())
    }
  }
  return askerName({ platform: 'terminal' }, nameOf())
}
