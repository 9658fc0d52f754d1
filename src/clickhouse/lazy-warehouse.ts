import { abortable } from '../store/abortable.ts'
import { WarehouseError } from '../warehouse/error.ts'
import type { QueryResult, ReadQuery, Warehouse, WriteStatement } from '../warehouse/warehouse.ts'

/**
 * A warehouse that connects with its first use. So one of several sources may be away when a process starts. After a failure, the
 * next use connects again.
 */
export class LazyWarehouse implements Warehouse {
  readonly description: string
  readonly #open: () => Promise<Warehouse>
  #opening: Promise<Warehouse> | undefined

  /** @param open connects and checks the warehouse, for all callers that wait */
  constructor(description: string, open: () => Promise<Warehouse>) {
    this.description = description
    this.#open = open
  }

  async read(query: ReadQuery, signal: AbortSignal): Promise<QueryResult> {
    return (await this.#opened(signal)).read(query, signal)
  }

  async readOwn(query: Omit<ReadQuery, 'role'>, signal: AbortSignal): Promise<QueryResult> {
    return (await this.#opened(signal)).readOwn(query, signal)
  }

  async write(statement: WriteStatement, signal: AbortSignal): Promise<void> {
    return (await this.#opened(signal)).write(statement, signal)
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined)
    await opened?.close()
  }

  async #opened(signal: AbortSignal): Promise<Warehouse> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined
      throw error instanceof WarehouseError ? error : unusable(error)
    })
    try {
      return await abortable(this.#opening, signal)
    } catch (error) {
      throw signal.aborted ? new WarehouseError('The query was cancelled.', { kind: 'cancelled', cause: error }) : error
    }
  }
}

function unusable(error: unknown): WarehouseError {
  const message = error instanceof Error ? error.message : String(error)
  return new WarehouseError(message, { kind: 'unavailable', cause: error })
}
