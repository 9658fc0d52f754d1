import { finished, type Readable } from 'node:stream'
import { afterOthersTurn } from '../../base/slices.ts'
import { LLM_LIMITS } from '../limits.ts'

/**
 * Groups the bytes of a stream that arrive in the same turn of the event loop, or within a frame after the last group. Every
 * listener then runs once per group. Running once per token would take more time than reading the tokens. Leaving the loop early
 * closes the stream.
 * @throws the error of the stream, after all earlier bytes
 */
export async function* arrivedTogether(source: Readable): AsyncGenerator<readonly Uint8Array[], void> {
  let group: Uint8Array[] = []
  let waitingBytes = 0
  let end: { readonly fault?: unknown } | undefined
  let wake = () => {}
  let endFrame = () => {}
  source.on('data', (bytes: Uint8Array) => {
    group.push(bytes)
    waitingBytes += bytes.length
    wake()
    if (waitingBytes < LLM_LIMITS.waitingBytes) return
    source.pause()
    endFrame()
  })
  finished(source, fault => {
    end = fault ? { fault } : {}
    wake()
    endFrame()
  })
  try {
    for (;;) {
      if (end === undefined && group.length === 0) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
        // Bytes that arrive in the same turn of the event loop form a group. No other event is handled between them.
        if (end === undefined) await afterOthersTurn()
      }
      const isLast = end !== undefined
      const arrived = group
      group = []
      waitingBytes = 0
      source.resume()
      if (arrived.length > 0) yield arrived
      if (isLast) break
      if (end === undefined) {
        await new Promise<void>(resolve => {
          const frame = setTimeout(resolve, LLM_LIMITS.frameMs)
          endFrame = () => {
            clearTimeout(frame)
            resolve()
          }
        })
      }
    }
  } finally {
    source.destroy()
  }
  if (end !== undefined && 'fault' in end) throw end.fault
}
