import type { IncomingMessage } from 'node:http'
import { SLACK_LIMITS } from '../limits.ts'

/** Thrown when the server refuses a body before all of it has arrived. `status` is the HTTP status of the refusal. */
export class BodyRefusedError extends Error {
  readonly status: 408 | 413 | 503

  constructor(status: 408 | 413 | 503) {
    super(`the body was refused with ${status}`)
    this.status = status
  }
}

interface Reading {
  bytes: number
  refuse(status: BodyRefusedError['status']): void
}

/**
 * Reads bodies before their sender is verified, with limits on their number, their total bytes and the time for each. If there
 * are too many bodies or bytes, the oldest body is refused with status 503 to make room. Slack's own bodies arrive within
 * milliseconds, so they rarely are the oldest. If one is refused, Slack sends it again.
 */
export class UnverifiedBodies {
  /** The bodies that are being read, oldest first. */
  readonly #readings = new Set<Reading>()
  #bytes = 0

  /**
   * Reads a request's body.
   * @throws BodyRefusedError, or the error that ended the request
   */
  read(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) return Promise.reject(new BodyRefusedError(413))
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      const reading: Reading = { bytes: 0, refuse: status => end(() => reject(new BodyRefusedError(status))) }
      const timer = setTimeout(() => reading.refuse(408), SLACK_LIMITS.bodyMs)
      const end = (settle: () => void) => {
        clearTimeout(timer)
        this.#readings.delete(reading)
        this.#bytes -= reading.bytes
        request.off('data', take).pause()
        settle()
      }
      const take = (chunk: Buffer) => {
        // Even a chunk of one byte takes much memory. So `chunkBytes` is added to the length of each chunk.
        const bytes = chunk.length + SLACK_LIMITS.chunkBytes
        reading.bytes += bytes
        this.#bytes += bytes
        chunks.push(chunk)
        if (reading.bytes > mostBytes + SLACK_LIMITS.chunkBytes) reading.refuse(413)
        this.#makeRoom()
      }
      request.on('data', take)
      request.once('end', () => end(() => resolve(Buffer.concat(chunks))))
      request.once('close', () => end(() => reject(new Error('the request was broken off'))))
      request.once('error', error => end(() => reject(error)))
      this.#readings.add(reading)
      this.#makeRoom()
    })
  }

  #makeRoom(): void {
    for (const oldest of this.#readings) {
      if (this.#readings.size <= SLACK_LIMITS.bodies && this.#bytes <= SLACK_LIMITS.bodiesBytes) return
      oldest.refuse(503)
    }
  }
}
