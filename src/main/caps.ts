import { homedir } from 'node:os'
import { basename } from 'node:path'
import type { Analyst } from '../agent/analyst.ts'
import { asRun } from '../base/watched-work.ts'
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

/** Returns an analyst that answers for one person. All work of its runs, also after an answer, belongs to the person. */
export function analystFor(person: string, analyst: Pick<Analyst, 'ask'>): Pick<Analyst, 'ask'> {
  return {
    ask(question, signal) {
      const run = { id: question.runId, person }
      return asRun(run, async () => {
        const answer = await analyst.ask(question, signal)
        return { ...answer, afterwards: own => asRun(run, () => answer.afterwards(own)) }
      })
    },
  }
}
