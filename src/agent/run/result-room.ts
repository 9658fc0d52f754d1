import { getHeapStatistics } from 'node:v8'
import type { ResultRoom } from '../../warehouse/warehouse.ts'

/** Chosen: this part of the heap may hold results. Read into values, they take about twice their bytes, and a run keeps copies for its checks. */
const HEAP_SHARE = 0.25
/** A result may always take this much, which is far more than an answer needs. */
const LEAST_BYTES = 1_000_000

/** The memory for results of all runs in this process. One run may use all of it; runs beside each other share it equally. */
export class ResultRooms {
  readonly #bytes: number
  readonly #held = new Map<OpenRoom, number>()

  /** @param bytes for all runs together. Default: a quarter of the heap. */
  constructor(bytes: number = getHeapStatistics().heap_size_limit * HEAP_SHARE) {
    this.#bytes = bytes
  }

  /** The room of one run, which must be closed when the run ends. */
  open(): OpenRoom {
    const room: OpenRoom = {
      bytesLeft: () => {
        const others = [...this.#held.keys()].filter(other => other !== room).length
        return Math.max(LEAST_BYTES, this.#bytes / (others + 1) - (this.#held.get(room) ?? 0))
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
