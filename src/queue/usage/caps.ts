import { RunError } from '../../agent/run/error.ts'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { type Subject, subjectAtHand } from '../../base/watched-work.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import type { Observe } from '../../telemetry/observation.ts'
import type { Language } from '../../words/language.ts'
import { askerName } from '../asker.ts'
import { ALLOWANCE_LIMITS, USAGE_LIMITS } from '../limits.ts'
import { CAPPED_MEASURES, type Cap, NO_LIMIT, type Standing } from './cap.ts'
import { counterKey, countUse, type Use, type Used } from './counters.ts'
import { capSentence, usageText } from './sentences.ts'
import { dayOf, windowAt } from './windows.ts'

interface CapsDeps {
  readonly redis: RedisClient
  readonly caps: readonly Cap[]
  readonly timeZone: string
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
  /** Only tests set it. */
  readonly holdMs?: number
}

/** A cap for one of its sharers, such as one person, with the keys of its counters. */
type OwnCap = Cap & { readonly endsAt: number; readonly keys: readonly string[]; readonly told?: string }

/**
 * Returns the caps against floods, for a person and for a channel. Their windows begin with the first use.
 * @param ofPerson the questions in ten minutes, and the model's tokens in an hour
 */
export function floodCaps(ofPerson: { readonly questions: number; readonly tokens: number }): readonly Cap[] {
  const { countedMs, spentMs, presses, channelFactor } = ALLOWANCE_LIMITS
  const of = (per: Cap['per'], factor: number): readonly Cap[] => [
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

  constructor(deps: CapsDeps) {
    this.#deps = deps
  }

  /**
   * Takes one question or press. A further call with the same id takes nothing. A question must be settled when its run ends.
   * @returns the cap that does not allow it; undefined if it is taken
   */
  async take(what: 'questions' | 'presses', id: string, subject: Subject, signal: AbortSignal): Promise<Standing | undefined> {
    const isPress = what === 'presses'
    const caps = this.#capsOf(subject).filter(({ of }) => (of === 'presses') === isPress)
    const counters = this.#countersOf(subject, { [what]: 1 })
    return this.#refusal(caps, { what: 'take', id, counters, ...(!isPress && this.#hold) }, signal)
  }

  /**
   * Counts a question for good.
   * @param tells whether the person can be told of caps now
   * @returns the sentences that tell of caps which are nearly used up, each once in its window
   */
  async settle(id: string, subject: Subject, signal: AbortSignal, tells = true): Promise<(language: Language) => string> {
    const caps = tells ? this.#capsOf(subject) : []
    const counters = this.#countersOf(subject, { questions: 1 })
    const used = await this.#use({ what: 'settle', id, counters, bounds: caps }, signal)
    const told = this.#standings(caps, used).filter((_, index) => used.told.includes(index))
    return language => told.map(cap => capSentence({ ...cap, message: undefined }, this.#deps.timeZone, language)).join(' ')
  }

  /** @throws RunError if a cap does not allow the run at hand to go on */
  async check(signal: AbortSignal): Promise<void> {
    const { run: id, ...subject } = subjectAtHand()
    const caps = this.#capsOf(subject).filter(({ of }) => of !== 'questions' && of !== 'presses')
    const refused = await this.#refusal(caps, { what: 'check', id, ...(id !== undefined && this.#hold) }, signal)
    if (refused !== undefined) throw this.errorOf(refused)
  }

  errorOf(refused: Standing): RunError {
    const code = typeof refused.window === 'number' ? 'too_many_questions' : 'cap_reached'
    return RunError.capReached(code, language => capSentence(refused, this.#deps.timeZone, language))
  }

  /** Returns what a person has used of each cap, and what the person has used today without a cap. */
  async standings(person: string, signal: AbortSignal): Promise<readonly Standing[]> {
    const { caps } = this.#deps
    const own = caps.filter(({ per, of }) => per === 'person' && of !== 'presses')
    const free = CAPPED_MEASURES.filter(measure => !own.some(({ of, window }) => of === measure && window === 'day'))
    const today = free.map(of => ({ per: 'person', of, window: 'day', limit: NO_LIMIT }) as const)
    const shown = this.#capsOf({ person }, [...today, ...own])
    const standings = this.#standings(shown, await this.#use({ what: 'check', bounds: shown }, signal))
    // Models without a known price cost nothing here. So a cost of 0 tells nothing.
    return standings.filter(({ of, limit, used }) => of !== 'cost' || limit !== NO_LIMIT || used > 0)
  }

  /**
   * Tells a person what the person has used, and may use.
   * @param isOther somebody else reads it
   */
  readonly textFor = async (
    { person, isOther = false }: { readonly person: string; readonly isOther?: boolean },
    language: Language,
    signal: AbortSignal,
  ): Promise<string> =>
    usageText(await this.standings(person, signal), this.#deps.timeZone, language, isOther ? person : undefined)

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
  #count(by: Readonly<Record<string, number>>, further: readonly [kind: string, name: string]): void {
    const counters = this.#countersOf(subjectAtHand(), by, further)
    this.#use({ what: 'count', counters }, new AbortController().signal).catch((error: unknown) =>
      this.#deps.logger.warn({ error: errorMessage(error) }, 'what a run has used was not counted'),
    )
  }

  get #hold() {
    return { holdMs: this.#deps.holdMs ?? USAGE_LIMITS.holdMs }
  }

  #capsOf(subject: Subject, caps = this.#deps.caps): readonly OwnCap[] {
    const { now, timeZone } = this.#deps
    const names = sharersOf(subject)
    return caps.flatMap(cap => {
      const { per, of, window, limit } = cap
      if (typeof window === 'number')
        return names[per].map(name => ({ ...cap, endsAt: now(), keys: [counterKey(window, per, name)] }))
      const { days, endsAt } = windowAt(now(), window, timeZone)
      const told = `told ${window} ${of} ${limit}`
      return names[per].map(name => ({ ...cap, endsAt, told, keys: days.map(day => counterKey(day, per, name)) }))
    })
  }

  #countersOf(subject: Subject, by: Readonly<Record<string, number>>, ...further: readonly (readonly [string, string])[]) {
    const { now, timeZone } = this.#deps
    const day = dayOf(now(), timeZone)
    const sharers = Object.entries(sharersOf(subject)).flatMap(([per, names]) => names.map(name => [per, name] as const))
    const ofDay = [...sharers, ...further].map(([kind, name]) => {
      const listed = { key: counterKey(day, kind), name }
      return { key: counterKey(day, kind, name), livesMs: USAGE_LIMITS.keptMs, by, listed }
    })
    const rolling = this.#capsOf(subject).flatMap(({ of, window, keys: [key = ''] }) =>
      typeof window === 'number' && by[of] !== undefined ? [{ key, livesMs: window, by: { [of]: by[of] } }] : [],
    )
    return [...ofDay, ...rolling]
  }

  #use(use: Use, signal: AbortSignal): Promise<Used> {
    return countUse(this.#deps.redis, use, signal)
  }

  async #refusal(caps: readonly OwnCap[], use: Use, signal: AbortSignal): Promise<Standing | undefined> {
    const used = await this.#use({ ...use, bounds: caps }, signal)
    return this.#standings(caps, used)[used.refusedBy]
  }

  #standings(caps: readonly OwnCap[], { used, livesMs }: Used): readonly Standing[] {
    const now = this.#deps.now()
    return caps.map((cap, index) => {
      const leftMs = typeof cap.window === 'number' ? Math.max(0, livesMs[index] ?? 0) : cap.endsAt - now
      return { ...cap, used: used[index] ?? 0, leftMs, endsAt: now + leftMs }
    })
  }
}

/** Returns the names under which a use is counted. A person with several roles counts for each. */
function sharersOf({ person, place, role = '' }: Subject): Readonly<Record<Cap['per'], readonly string[]>> {
  return {
    all: ['all'],
    person: person === undefined ? [] : [person],
    // The terminal is no channel.
    channel: place === undefined || place.channel === '' ? [] : [askerName(place, place.channel)],
    role: role.split(' ').filter(name => name !== ''),
  }
}
