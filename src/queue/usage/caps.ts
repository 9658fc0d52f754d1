import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { type Subject, subjectAtHand } from '../../base/watched-work.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import type { Observe } from '../../telemetry/observation.ts'
import { askerName } from '../asker.ts'
import { ALLOWANCE_LIMITS, USAGE_LIMITS } from '../limits.ts'
import { type Cap, CAPPED_MEASURES, type Sharer, type Standing } from './cap.ts'
import { type Amounts, type Bound, type Counter, counterKey, countUse, type Used } from './counters.ts'
import { dayOf, windowAt } from './windows.ts'

export interface CapsDeps {
  readonly redis: RedisClient
  readonly caps: readonly Cap[]
  readonly timeZone: string
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
  /** Only tests set it. */
  readonly holdMs?: number
}

type Taken = 'questions' | 'presses'

/** A cap for one of its sharers, such as one person. */
interface OwnCap extends Cap {
  readonly name: string
}

/**
 * Returns the caps against floods, for a person and for a channel. Their windows begin with the first use.
 * @param ofPerson the questions in ten minutes, and the model's tokens in an hour
 */
export function floodCaps(ofPerson: { readonly questions: number; readonly tokens: number }): readonly Cap[] {
  const { countedMs, spentMs, presses, channelFactor } = ALLOWANCE_LIMITS
  const of = (per: Sharer, factor: number): readonly Cap[] => [
    { per, of: 'questions', window: countedMs, limit: factor * ofPerson.questions },
    { per, of: 'presses', window: countedMs, limit: factor * presses },
    { per, of: 'tokens', window: spentMs, limit: factor * ofPerson.tokens },
  ]
  return [...of('person', 1), ...of('channel', channelFactor)]
}

/**
 * Counts what people use, and holds it against the caps. Counters of days serve all windows of the calendar, and reports. Methods
 * throw StoreError.
 */
export class Caps {
  readonly #deps: CapsDeps
  readonly #holdMs: number

  constructor(deps: CapsDeps) {
    this.#deps = deps
    this.#holdMs = deps.holdMs ?? USAGE_LIMITS.holdMs
  }

  /**
   * Takes one question or press. A further call with the same id takes nothing. A question must be settled when its run has
   * ended.
   * @returns the cap that does not allow it; undefined if it is taken
   */
  async take(what: Taken, id: string, subject: Subject, signal: AbortSignal): Promise<Standing | undefined> {
    const isQuestion = what === 'questions'
    const caps = this.#capsOf(subject).filter(({ of }) => (isQuestion ? of !== 'presses' : of === 'presses'))
    const counters = this.#countersOf(subject, { [what]: 1 })
    const hold = isQuestion ? { holdMs: this.#holdMs } : {}
    return this.#refusal(caps, await this.#use({ what: 'take', id, caps, counters, ...hold }, signal))
  }

  /**
   * Counts a question for good.
   * @param how.isTold whether the person can be told of a cap now
   * @returns the caps that are nearly used up, each once in its window
   */
  async settle(
    id: string,
    subject: Subject,
    { isTold }: { readonly isTold: boolean },
    signal: AbortSignal,
  ): Promise<readonly Standing[]> {
    const caps = isTold ? this.#capsOf(subject).filter(({ window }) => typeof window === 'string') : []
    const counters = this.#countersOf(subject, { questions: 1 })
    const used = await this.#use({ what: 'settle', id, caps, counters }, signal)
    return used.told.flatMap(index => this.#standing(caps, used, index) ?? [])
  }

  /** Returns the cap that does not allow the run at hand to go on. Undefined if it may. */
  async check(signal: AbortSignal): Promise<Standing | undefined> {
    const { run, ...subject } = subjectAtHand()
    const caps = this.#capsOf(subject).filter(({ of, soft }) => of !== 'questions' && of !== 'presses' && soft !== true)
    if (caps.length === 0) return undefined
    const hold = run === undefined ? {} : { id: run, holdMs: this.#holdMs }
    return this.#refusal(caps, await this.#use({ what: 'check', caps, ...hold }, signal))
  }

  /** Returns what a person has used of each cap, and what the person has used today without a cap. */
  async standings(person: string, signal: AbortSignal): Promise<readonly Standing[]> {
    const own = this.#capsOf({ person }).filter(({ per, of }) => per === 'person' && of !== 'presses')
    const free = CAPPED_MEASURES.filter(measure => !own.some(({ of, window }) => of === measure && window === 'day'))
    const today = free.map(of => ({ per: 'person', of, window: 'day', limit: Number.POSITIVE_INFINITY, name: person }) as const)
    const caps = [...today, ...own]
    const used = await this.#use({ what: 'check', caps }, signal)
    return caps.flatMap((_, index) => this.#standing(caps, used, index) ?? [])
  }

  /** Counts model calls and queries for whom they were done. */
  readonly observe: Observe = observation => {
    if (observation.kind === 'model_call') {
      const { inputTokens, outputTokens, cost = 0, model } = observation
      this.#count({ calls: 1, tokens: inputTokens + outputTokens, cost }, ['model', model])
    } else if (observation.kind === 'query') {
      this.#count({ queries: 1, bytes: observation.bytesRead }, ['source', observation.source])
    }
  }

  /** Nobody waits for the count. Redis runs it before any later check, because both use one connection. */
  #count(amounts: Amounts, further: readonly [kind: string, name: string]): void {
    const by = Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0))
    const counters = this.#countersOf(subjectAtHand(), by, further)
    this.#use({ what: 'count', caps: [], counters }, new AbortController().signal).catch((error: unknown) =>
      this.#deps.logger.warn({ error: errorMessage(error) }, 'what a run has used was not counted'),
    )
  }

  #capsOf(subject: Subject): readonly OwnCap[] {
    const names = sharersOf(subject)
    return this.#deps.caps.flatMap(cap => names[cap.per].map(name => ({ ...cap, name })))
  }

  #countersOf(subject: Subject, by: Amounts, ...further: readonly (readonly [kind: string, name: string])[]): readonly Counter[] {
    const { now, timeZone } = this.#deps
    const day = dayOf(now(), timeZone)
    const sharers = Object.entries(sharersOf(subject)).flatMap(([per, names]) => names.map(name => [per, name] as const))
    const ofDay = [...sharers, ...further].map(([kind, name]) => ({
      key: counterKey(day, kind, name),
      livesMs: USAGE_LIMITS.keptMs,
      by,
      listed: { key: counterKey(day, kind), name },
    }))
    const rolling = this.#capsOf(subject).flatMap(({ per, of, window, name }) => {
      const amount = by[of]
      if (typeof window === 'string' || amount === undefined) return []
      return { key: counterKey(window, per, name), livesMs: window, by: { [of]: amount } }
    })
    return [...ofDay, ...rolling]
  }

  #use(
    { caps, ...use }: Omit<Parameters<typeof countUse>[1], 'bounds'> & { readonly caps: readonly OwnCap[] },
    signal: AbortSignal,
  ): Promise<Used> {
    return countUse(this.#deps.redis, { ...use, bounds: caps.map(cap => this.#boundOf(cap)) }, signal)
  }

  #boundOf({ per, of, window, limit, soft, name }: OwnCap): Bound {
    const common = { of, limit: Math.min(limit, Number.MAX_SAFE_INTEGER), isHard: soft !== true }
    if (typeof window === 'number') return { ...common, keys: [counterKey(window, per, name)] }
    const { now, timeZone } = this.#deps
    const { days } = windowAt(now(), window, timeZone)
    return { ...common, keys: days.map(day => counterKey(day, per, name)), told: `told ${window} ${of} ${limit}` }
  }

  #refusal(caps: readonly OwnCap[], used: Used): Standing | undefined {
    return used.refusedBy === undefined ? undefined : this.#standing(caps, used, used.refusedBy)
  }

  #standing(caps: readonly OwnCap[], { used, livesMs }: Used, index: number): Standing | undefined {
    const found = caps[index]
    if (found === undefined) return undefined
    const { name: _, ...cap } = found
    const { now, timeZone } = this.#deps
    const rolling = now() + Math.max(0, livesMs[index] ?? 0)
    const endsAt = typeof cap.window === 'number' ? rolling : windowAt(now(), cap.window, timeZone).endsAt
    return { ...cap, used: used[index] ?? 0, endsAt }
  }
}

/** Returns the names under which a use is counted. A person with several roles counts for each. */
function sharersOf({ person, place, role = '' }: Subject): Readonly<Record<Sharer, readonly string[]>> {
  return {
    all: ['all'],
    person: person === undefined ? [] : [person],
    channel: place === undefined ? [] : [askerName(place, place.channel)],
    role: role.split(' ').filter(name => name !== ''),
  }
}
