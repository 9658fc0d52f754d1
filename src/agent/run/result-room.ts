import { getHeapStatistics } from 'node:v8'
import type { ResultRoom } from '../../warehouse/warehouse.ts'
import { AGENT_LIMITS } from '../limits.ts'

/**
 * The memory for the results of all runs in this process. A single run may use all of it. Runs at the same time share it equally.
 */
export class ResultRooms {
  readonly #bytes: number
  readonly #held = new Map<OpenRoom, number>()

  /** @param bytes the memory for all runs together; default: a quarter of the heap */
  constructor(bytes: number = getHeapStatistics().heap_size_limit * AGENT_LIMITS.run.heapShare) {
    this.#bytes = bytes
  }

  /** Returns one run's share of the memory. Close the share when the run ends. */
  open(): OpenRoom {
    const room: OpenRoom = {
      bytesLeft: () => {
        const others = [...this.#held.keys()].filter(other => other !== room).length
        return Math.max(AGENT_LIMITS.run.leastResultBytes, this.#bytes / (others + 1) - (this.#held.get(room) ?? 0))
      },
      took: bytes => this.#held.set(room, (this.#held.get(room) ?? 0) + bytes),
      close: () => this.#held.delete(room),
    }
    return room
  }
}

export interface OpenRoom extends ResultRoom {
  close(): void
}
