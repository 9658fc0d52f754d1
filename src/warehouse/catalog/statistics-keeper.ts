import { setTimeout as delay } from 'node:timers/promises'
import { settledWithin } from '../../base/done-within.ts'
import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { forEverybody } from '../../base/watched-work.ts'
import { CATALOG_LIMITS } from '../limits.ts'
import { waitFor } from '../wait-for.ts'
import type { CatalogEntries } from './entries.ts'
import type { ListedTable } from './listed-table.ts'
import type { CatalogReader, TableToGather } from './reader.ts'
import type { SchemaCache } from './schema-cache.ts'

interface KeeperDeps {
  readonly reader: Pick<CatalogReader, 'isScannable' | 'gather'>
  readonly logger: Logger
  readonly now: () => number
  readonly entries: CatalogEntries
  readonly cache: SchemaCache
  /** How long a question waits for missing statistics, in milliseconds. */
  readonly firstMomentMs: number
  /** Aborting this signal stops the background work. */
  readonly closing: AbortSignal
}

export interface StatisticsKeeper {
  /** Starts to gather all statistics that are due, in the background. Does nothing if this work is already running. */
  gatherAll(list: readonly ListedTable[]): void
  /**
   * Gathers the statistics of some tables in a large catalog, if they are due. Waits a short time for missing ones.
   * @throws WarehouseError of kind `cancelled`
   */
  gatherOf(tables: readonly ListedTable[], signal: AbortSignal): Promise<void>
  /** Waits a short time for the work that `gatherAll` started, if some tables have no statistics yet. */
  firstMoment(signal: AbortSignal): Promise<void>
  /** Resolves when all background work has stopped. */
  settled(): Promise<void>
}

/** Gathers statistics in the background and shares them with other processes. Only one process gathers at a time. */
export function createStatisticsKeeper(deps: KeeperDeps): StatisticsKeeper {
  const { reader, entries, cache, closing, now } = deps
  let gathering: Promise<void> | undefined
  let moment: Promise<void> = Promise.resolve()
  let pausedUntil = 0
  const few = new Set<Promise<void>>()
  /**
   * Tables of a large catalog whose statistics are being gathered now. A second question waits for the same work instead of
   * starting it again.
   */
  const underWay = new Map<string, Promise<void>>()

  const logFailure = (error: unknown) => {
    if (!closing.aborted) deps.logger.warn({ error: errorMessage(error) }, 'statistics not gathered')
  }

  const knownOf = (list: readonly ListedTable[]): readonly TableToGather[] =>
    list.flatMap(listed => {
      const entry = entries.get(listed)
      return entry === undefined ? [] : [{ entry, listed }]
    })
  const dueOf = (list: readonly ListedTable[]) => knownOf(list).filter(table => reader.isScannable(table) && isDue(table, now()))

  async function gather(due: readonly TableToGather[], known: readonly TableToGather[]): Promise<boolean> {
    return reader.gather(due, known, ({ entry }, statistics) => entries.take(entry, statistics), closing)
  }

  async function gatherDue(list: readonly ListedTable[]): Promise<void> {
    const lockSeconds = Math.ceil(CATALOG_LIMITS.gatherMs / 1_000) + 10
    for (let waitMs: number = CATALOG_LIMITS.lockPollMs; ; waitMs = Math.min(2 * waitMs, CATALOG_LIMITS.lockWaitMs)) {
      if (await cache.tryLock('statistics', lockSeconds, closing)) break
      await delay(waitMs, undefined, { signal: closing })
      await entries.merge(await cache.load(closing))
      if (dueOf(list).length === 0) return
    }
    try {
      await entries.merge(await cache.load(closing))
      const due = dueOf(list)
      if (due.length === 0) return
      if (!(await gather(due, knownOf(list)))) pausedUntil = now() + CATALOG_LIMITS.statisticsRetrySeconds * 1_000
      if (closing.aborted) return
      await entries.merge(await cache.load(closing))
      await cache.save(entries.all(), closing)
    } finally {
      await cache.unlock('statistics')
    }
  }

  /**
   * Gathers the statistics of a few tables without a lock, because locking would take longer than the gathering. At worst, two
   * processes scan the same table.
   */
  async function gatherFew(tables: readonly ListedTable[]): Promise<void> {
    await entries.merge(await cache.load(closing, tables))
    const due = dueOf(tables)
    if (due.length === 0) return
    await gather(due, knownOf(tables))
    if (closing.aborted) return
    await entries.merge(await cache.load(closing, tables))
    await cache.save(entries.all(), closing, tables)
  }

  return {
    gatherAll: list => {
      if (gathering !== undefined || now() < pausedUntil || closing.aborted) return
      const due = dueOf(list)
      if (due.length === 0) return
      gathering = gatherDue(list)
        .catch(logFailure)
        .finally(() => {
          gathering = undefined
        })
      // Old statistics are good enough for the present question. It waits only if some table has none at all.
      const isMissing = due.some(({ entry }) => entry.statistics === undefined)
      if (isMissing) moment = settledWithin(deps.firstMomentMs, gathering)
    },
    gatherOf: async (tables, signal) => {
      if (closing.aborted) return
      const due = dueOf(tables)
      const added = due.filter(({ listed }) => !underWay.has(listed.database + listed.name)).map(({ listed }) => listed)
      if (added.length > 0) {
        const work = forEverybody(() => gatherFew(added))
          .catch(logFailure)
          .finally(() => {
            few.delete(work)
            for (const { database, name } of added) underWay.delete(database + name)
          })
        few.add(work)
        for (const { database, name } of added) underWay.set(database + name, work)
      }
      const awaited = due
        .filter(({ entry }) => entry.statistics === undefined)
        .flatMap(({ listed }) => underWay.get(listed.database + listed.name) ?? [])
      await waitFor(settledWithin(deps.firstMomentMs, Promise.allSettled(awaited)), signal)
    },
    firstMoment: signal => waitFor(moment, signal),
    settled: async () => void (await Promise.allSettled([gathering, ...few])),
  }
}

/**
 * Whether a table's statistics must be gathered: they are missing or old, the last attempt failed, or the row count has changed
 * much since then.
 */
function isDue({ entry, listed }: TableToGather, now: number): boolean {
  const { statistics } = entry
  if (statistics === undefined) return true
  const age = (now - statistics.gatheredAt) / 1_000
  if (age > (statistics.complete ? CATALOG_LIMITS.statisticsSeconds : CATALOG_LIMITS.statisticsRetrySeconds)) return true
  if (age < CATALOG_LIMITS.growthPauseSeconds || statistics.rows === null || listed.rows === null) return false
  return (
    listed.rows > statistics.rows * CATALOG_LIMITS.growthFactor || listed.rows * CATALOG_LIMITS.growthFactor < statistics.rows
  )
}
