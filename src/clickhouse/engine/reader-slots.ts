import { availableParallelism } from 'node:os'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import { QuerySlots } from './query-slots.ts'

/**
 * Makes the slots for reads from an embedded engine. How many reads one person may run depends on the number of cores.
 * @param slow the number of extra slots for slow reads
 * @param queue the maximum number of waiting reads; default: any number
 */
export function readerSlots(slow: number, queue?: number): QuerySlots {
  const { readers, slow: limits, ofOnePerson } = CLICKHOUSE_LIMITS.engine
  const cores = availableParallelism()
  return new QuerySlots({
    size: readers,
    ...(queue !== undefined && { queue }),
    ofOne: cores * ofOnePerson.readersPerCore,
    slow: { afterMs: limits.afterMs, size: slow, ofOne: cores * ofOnePerson.slowPerCore },
  })
}
