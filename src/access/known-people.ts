import { z } from 'zod'
import { ClewError, errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { abortable } from '../store/abortable.ts'
import type { StateStore } from '../store/state-store.ts'
import type { Observe } from '../telemetry/observation.ts'
import { ACCESS_LIMITS } from './limits.ts'
import type { PeopleDirectory } from './people-directory.ts'
import type { WorkspaceRules } from './policy.ts'

const keptSchema = z.object({ at: z.number(), values: z.array(z.string()).nullable() })
type Kept = z.infer<typeof keptSchema>

/**
 * Thrown when the platform cannot tell a person's groups or a channel's members, and the cache has no answer from the last hour.
 * Thrown too if this process has no tokens of the platform.
 */
export class PeopleUnknownError extends ClewError {
  constructor(platform: string, cause: unknown) {
    super(`${platform} does not say who is in which group`, { code: 'people_unknown', retryable: true, cause })
  }
}

/**
 * Looks up people's groups and channels' members. Caches groups for `ttlMs`, and members for a few seconds, because anybody may
 * come into a channel while a question is answered. Concurrent callers share one request.
 */
export class KnownPeople {
  readonly #deps: KnownPeopleDeps
  readonly #fetching = new Map<string, Promise<Kept>>()

  constructor(deps: KnownPeopleDeps) {
    this.#deps = deps
  }

  /**
   * Returns the groups of each person. Leaves out groups that the rules do not name.
   * @throws PeopleUnknownError, StoreError
   */
  async groupsOf(
    rules: WorkspaceRules,
    users: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const { platform, workspace } = rules
    const known = [...rules.groups.keys()]
    const { ttlMs } = this.#deps
    const groups = this.#deps.directories[platform]?.groups
    if (known.length === 0) return new Map()
    // A process without the platform's tokens cannot know who is in a group, and must not guess.
    if (groups === undefined) throw new PeopleUnknownError(platform, undefined)
    if (groups.by === 'member') {
      const each = users.map(async user => {
        const key = `${platform}/${workspace}/member/${user}`
        const own = await this.#remembered(platform, key, { fetch: own => groups.groupsOf(workspace, user, own), ttlMs }, signal)
        return [user, known.filter(group => own?.includes(group))] as const
      })
      return new Map(await Promise.all(each))
    }
    const lists = known.map(async group => {
      const key = `${platform}/${workspace}/group/${group}`
      const members = await this.#remembered(platform, key, { fetch: own => groups.membersOf(group, own), ttlMs }, signal)
      return { group, members: new Set(members ?? []) }
    })
    const all = await Promise.all(lists)
    return new Map(users.map(user => [user, all.filter(({ members }) => members.has(user)).map(({ group }) => group)]))
  }

  /**
   * Returns the members of a channel.
   * @returns undefined if the platform does not list them, or if there are too many
   * @throws PeopleUnknownError, StoreError
   */
  async channelMembers(
    { platform, workspace, channel }: { readonly platform: string; readonly workspace: string; readonly channel: string },
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const directory = this.#deps.directories[platform]
    if (directory === undefined) return undefined
    const fetch = (own: AbortSignal) => directory.channelMembers(channel, ACCESS_LIMITS.channelMembers, own)
    const ttlMs = Math.min(this.#deps.ttlMs, ACCESS_LIMITS.membersMs)
    return this.#remembered(platform, `${platform}/${workspace}/channel/${channel}`, { fetch, ttlMs }, signal)
  }

  async #remembered(
    platform: string,
    key: string,
    { fetch, ttlMs }: { readonly fetch: (signal: AbortSignal) => Promise<readonly string[] | undefined>; readonly ttlMs: number },
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const { store, now, observe, logger } = this.#deps
    const kept = readKept(await store.get(`people:${key}`, signal))
    const isHit = kept !== undefined && now() - kept.at < ttlMs
    observe?.({ kind: 'cache', cache: 'people', isHit })
    if (isHit) return kept.values ?? undefined
    try {
      return (await abortable(this.#fetchOnce(key, fetch), signal)).values ?? undefined
    } catch (error) {
      signal.throwIfAborted()
      const isOfUse = kept !== undefined && now() - kept.at < ACCESS_LIMITS.staleMs
      logger.warn({ key, error: errorMessage(error), goesByWhatWasKnown: isOfUse }, 'platform did not tell its groups or members')
      if (!isOfUse) throw new PeopleUnknownError(platform, error)
      return kept.values ?? undefined
    }
  }

  /** Makes one request for all concurrent callers. If the first caller stops waiting, the request goes on for the others. */
  #fetchOnce(key: string, fetch: (signal: AbortSignal) => Promise<readonly string[] | undefined>): Promise<Kept> {
    const running = this.#fetching.get(key)
    if (running !== undefined) return running
    const { store, now } = this.#deps
    const signal = AbortSignal.timeout(ACCESS_LIMITS.fetchMs)
    const fetched = abortable(fetch(signal), signal)
      .then(async values => {
        const kept = { at: now(), values: values === undefined ? null : [...values] }
        await store.set(`people:${key}`, JSON.stringify(kept), ACCESS_LIMITS.staleMs / 1000, signal)
        return kept
      })
      .finally(() => this.#fetching.delete(key))
    this.#fetching.set(key, fetched)
    return fetched
  }
}

export interface KnownPeopleDeps {
  readonly directories: Readonly<Record<string, PeopleDirectory>>
  readonly store: StateStore
  /** A cached answer is used for this long before the platform is asked again. */
  readonly ttlMs: number
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly observe?: Observe
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
