import { ClickHouseAuditStore } from '../audit/clickhouse-store.ts'
import { AuditLog } from '../audit/log.ts'
import { RedisAuditStore } from '../audit/redis-store.ts'
import type { AuditStore } from '../audit/store.ts'
import { ConfigurationError } from '../base/errors.ts'
import { Resources } from '../base/lifecycle.ts'
import { embeddedDirectory, openUncheckedWarehouse } from '../clickhouse/open-warehouse.ts'
import { StateDatabase } from '../pipelines/state-database.ts'
import { MAIN_LIMITS } from './limits.ts'
import { type WiringContext, wireRedis } from './store.ts'

type AuditContext = Pick<WiringContext, 'config' | 'logger' | 'resources' | 'observers'>

const NO_PLACE =
  'There is no place for an audit log: set REDIS_URL, or CLEW_WRITER_URL to a ClickHouse server on which `clew migrate` has run.'

/**
 * Starts to record what this process does. The log opens its own connections with the first line, and closes them last.
 * @throws ConfigurationError if an audit log is required and there is no place for it
 */
export function wireAudit({ config, logger, resources, observers }: AuditContext): AuditLog {
  if (config.audit.isRequired && serverUrl(config) === undefined && config.redis.url === undefined)
    throw new ConfigurationError(`CLEW_REQUIRE_AUDIT is set. ${NO_PLACE}`)
  const open = async (signal: AbortSignal) => {
    const store = (await openTable({ config, logger }, signal)) ?? (await openStream({ config, logger }, signal))
    // The table may be gone. Then lines wait until it is there again.
    if (store === undefined && config.audit.isRequired) throw new ConfigurationError(`CLEW_REQUIRE_AUDIT is set. ${NO_PLACE}`)
    if (store !== undefined) logger.info({ store: store.description }, 'audit log opened')
    return store
  }
  const log = resources.add('audit log', new AuditLog({ open, now: Date.now, logger }), opened => opened.close())
  observers?.add(log.observe)
  return log
}

/**
 * Opens every place that may hold audit lines: the table and the stream. Processes with different rights write to different ones.
 * @throws ConfigurationError if there is none; the errors of the places
 */
export async function openAuditStores(context: AuditContext, signal: AbortSignal): Promise<readonly AuditStore[]> {
  const opened = [await openTable(context, signal), await openStream(context, signal)].filter(store => store !== undefined)
  for (const store of opened) context.resources.add('audit store', store, each => each.close())
  if (opened.length === 0) throw new ConfigurationError(NO_PLACE)
  return opened
}

/** The embedded engine holds no audit log, because one process at a time may open its folder. */
function serverUrl({ pipelines, warehouse }: WiringContext['config']): string | undefined {
  return [pipelines.writerUrl, warehouse.url].find(url => url !== undefined && embeddedDirectory(url) === undefined)
}

type StoreContext = Pick<WiringContext, 'config' | 'logger'>

/** Opens the table. Undefined if there is no server, if the table is missing, or if the user may not add lines. */
async function openTable({ config, logger }: StoreContext, signal: AbortSignal): Promise<AuditStore | undefined> {
  const url = serverUrl(config)
  if (url === undefined) return undefined
  const { stateDatabase: database } = config.pipelines
  const limits = { maxBytes: MAIN_LIMITS.auditPageBytes, timeoutMs: config.warehouse.timeoutMs }
  const warehouse = await openUncheckedWarehouse({ url, database, ...limits, logger }, signal)
  const close = () => warehouse.close()
  const store = new ClickHouseAuditStore({ state: new StateDatabase(warehouse, database), close })
  try {
    await store.check(signal)
    return store
  } catch (error) {
    await close()
    if (error instanceof ConfigurationError) return undefined
    throw error
  }
}

async function openStream({ config, logger }: StoreContext, signal: AbortSignal): Promise<AuditStore | undefined> {
  if (config.redis.url === undefined) return undefined
  const resources = new Resources()
  const redis = await wireRedis({ config, logger, resources }, 'producer', signal)
  const retentionMs = config.audit.retentionSeconds * 1000
  return new RedisAuditStore({ redis, retentionMs, now: Date.now, close: () => resources.close(logger) })
}
