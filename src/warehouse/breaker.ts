import { Breaker } from '../base/breaker.ts'
import { BASE_LIMITS } from '../base/limits.ts'
import { WarehouseError } from './error.ts'
import { BREAKER_LIMITS } from './limits.ts'
import type { SchemaSource } from './schema-source.ts'
import type { SqlGuard } from './sql-guard.ts'
import type { Warehouse } from './warehouse.ts'

/**
 * Creates the breaker of a data source. It counts only failed connections.
 * @param id the id of the source, as `/ready` shows it
 * @param title the source at the beginning of a sentence
 */
export function warehouseBreaker(id: string, title = `The data source ${id}`): Breaker {
  const seconds = BASE_LIMITS.breakerOpenMs / 1000
  const message = `${title} cannot be reached. Clew asks it again ${seconds} seconds after it last failed.`
  return new Breaker({
    name: `source ${id}`,
    failures: BREAKER_LIMITS.failures,
    judge: error => {
      if (!(error instanceof WarehouseError) || error.kind === 'cancelled') return 'unknown'
      // A server that is only busy answers.
      return error.kind === 'unavailable' && error.serverCode === undefined && !error.isBusy ? 'away' : 'answered'
    },
    refusal: () => new WarehouseError(message, { kind: 'unavailable' }),
  })
}

/** The parts that ask a data source. */
interface AskingParts {
  readonly warehouse: Pick<Warehouse, 'read' | 'description'>
  readonly guard: SqlGuard
  readonly schemaSource: SchemaSource
}

/** Returns the parts of a source, which then ask it through its breaker. */
export function throughBreaker(breaker: Breaker, { warehouse, guard, schemaSource }: AskingParts): AskingParts {
  const { find, withStatistics } = schemaSource
  return {
    warehouse: {
      description: warehouse.description,
      read: (query, signal) => breaker.run(() => warehouse.read(query, signal)),
    },
    guard: { check: (sql, scope, signal) => breaker.run(() => guard.check(sql, scope, signal)) },
    schemaSource: {
      load: signal => breaker.run(() => schemaSource.load(signal)),
      refresh: signal => breaker.run(() => schemaSource.refresh(signal)),
      ...(find && { find: find.bind(schemaSource) }),
      ...(withStatistics && {
        withStatistics: (tables, signal) => breaker.run(() => withStatistics.call(schemaSource, tables, signal)),
      }),
    },
  }
}
