import { z } from 'zod'
import { ClewError, errorMessage } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { abortable } from '../store/abortable.ts'
import type { StateStore } from '../store/state-store.ts'
import type { WorkspaceRules } from './access-policy.ts'
import type { PeopleDirectory } from './people-directory.ts'

export const PEOPLE_LIMITS = {
  /** What was known longer ago than this does not stand in for a platform that is away. */
  staleMs: 60 * 60_000,
  /** A person waits for it before anything of theirs is shown. */
  fetchMs: 5_000,
  /** In a larger channel the default role stands for its members: each of them would have to be looked at. */
  channelMembers: 200,
} as const

const keptSchema = z.object({ at: z.number(), values: z.array(z.string()).nullable() })
type Kept = z.infer<typeof keptSchema>

/** A platform does not tell who somebody is, and did not within the last hour. */
export class PeopleUnknownError extends ClewError {
  constructor(platform: string, cause: unknown) {
    super(`${platform} does not say who is in which group`, { code: 'people_unknown', retryable: true, cause })
  }
}

/** Who is in which group and channel: asked of the platform at most once in `ttlMs`, by one call for all who want to know at the same time. */
export class KnownPeople {
  readonly #deps: KnownPeopleDeps
  readonly #fetching = new Map<string, Promise<Kept>>()

  constructor(deps: KnownPeopleDeps) {
    this.#deps = deps
  }

  /** The groups of each of these people, of those that the rules know. @throws PeopleUnknownError, StoreError */
  async groupsOf(
    rules: WorkspaceRules,
    users: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const { platform, workspace } = rules
    const known = [...rules.groups.keys()]
    const groups = this.#deps.directories[platform]?.groups
    if (known.length === 0 || groups === undefined) return new Map()
    if (groups.by === 'member') {
      const each = users.map(async user => {
        const key = `${platform}/${workspace}/member/${user}`
        const own = await this.#remembered(platform, key, own => groups.groupsOf(workspace, user, own), signal)
        return [user, known.filter(group => own?.includes(group))] as const
      })
      return new Map(await Promise.all(each))
    }
    const lists = known.map(async group => {
      const key = `${platform}/${workspace}/group/${group}`
      const members = await this.#remembered(platform, key, own => groups.membersOf(group, own), signal)
      return { group, members: new Set(members ?? []) }
    })
    const all = await Promise.all(lists)
    return new Map(users.map(user => [user, all.filter(({ members }) => members.has(user)).map(({ group }) => group)]))
  }

  /** Undefined where the platform does not tell, or there are too many to be looked at. @throws PeopleUnknownError, StoreError */
  async channelMembers(
    { platform, workspace, channel }: { readonly platform: string; readonly workspace: string; readonly channel: string },
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const directory = this.#deps.directories[platform]
    if (directory === undefined) return undefined
    const fetch = (own: AbortSignal) => directory.channelMembers(channel, PEOPLE_LIMITS.channelMembers, own)
    return this.#remembered(platform, `${platform}/${workspace}/channel/${channel}`, fetch, signal)
  }

  async #remembered(
    platform: string,
    key: string,
    fetch: (signal: AbortSignal) => Promise<readonly string[] | undefined>,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const { store, now, ttlMs, logger } = this.#deps
    const kept = readKept(await store.get(`people:${key}`, signal))
    if (kept !== undefined && now() - kept.at < ttlMs) return kept.values ?? undefined
    try {
      return (await abortable(this.#fetchOnce(key, fetch), signal)).values ?? undefined
    } catch (error) {
      signal.throwIfAborted()
      const isOfUse = kept !== undefined && now() - kept.at < PEOPLE_LIMITS.staleMs
      logger.warn({ key, error: errorMessage(error), goesByWhatWasKnown: isOfUse }, 'a platform does not tell about its people')
      if (!isOfUse) throw new PeopleUnknownError(platform, error)
      return kept.values ?? undefined
    }
  }

  /** Goes on when whoever began it does not wait any more: others may. */
  #fetchOnce(key: string, fetch: (signal: AbortSignal) => Promise<readonly string[] | undefined>): Promise<Kept> {
    const running = this.#fetching.get(key)
    if (running !== undefined) return running
    const { store, now } = this.#deps
    const signal = AbortSignal.timeout(PEOPLE_LIMITS.fetchMs)
    const fetched = abortable(fetch(signal), signal)
      .then(async values => {
        const kept = { at: now(), values: values === undefined ? null : [...values] }
        await store.set(`people:${key}`, JSON.stringify(kept), PEOPLE_LIMITS.staleMs / 1000, signal)
        return kept
      })
      .finally(() => this.#fetching.delete(key))
    this.#fetching.set(key, fetched)
    return fetched
  }
}

export interface KnownPeopleDeps {
  /** By platform. */
  readonly directories: Readonly<Record<string, PeopleDirectory>>
  readonly store: StateStore
  /** How long an answer counts without being asked for again. */
  readonly ttlMs: number
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

function readKept(text: string | undefined): Kept | undefined {
  if (text === undefined) return undefined
  try {
    return keptSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
