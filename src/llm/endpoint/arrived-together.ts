import { finished, type Readable } from 'node:stream'
import { afterOthersTurn } from '../../base/slices.ts'
import { LLM_LIMITS } from '../limits.ts'

/** The streams that are read now. The count is global, because all of them share one event loop. */
let open = 0

/**
 * Groups the bytes of a stream that arrive in the same turn of the event loop, or within a frame after the last group. Every
 * listener then runs once per group. Running once per token would take more time than reading the tokens. The more streams are
 * open, the longer is a frame. Leaving the loop early closes the stream.
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
  open += 1
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
          const frame = setTimeout(resolve, Math.min(open, LLM_LIMITS.frameMs))
          endFrame = () => {
            clearTimeout(frame)
            resolve()
          }
        })
      }
    }
  } finally {
    open -= 1
    source.destroy()
  }
  if (end !== undefined && 'fault' in end) throw end.fault
}
