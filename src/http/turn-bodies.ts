import { Places } from '../base/places.ts'
import { unpackText } from '../base/text/packed-text.ts'
import { abortable } from '../store/abortable.ts'
import { HTTP_LIMITS } from './limits.ts'
import { Problem } from './problem.ts'
import type { StoredTurn, TurnClient } from './turn-client.ts'

export type WriteTurn = ReturnType<typeof turnWriter>

/**
 * Returns a function that writes a whole turn as JSON, at the speed of its reader. A large result takes one of few places while it
 * is in memory, and a reader that is too slow loses it. People and tokens take turns. `write` gets the pieces, and resolves when the reader
 * has room for more. The function throws Problem if there is no place in time, and the signal's reason, or a TimeoutError, if the
 * reader is gone or too slow.
 */
export function turnWriter(turns: Pick<TurnClient, 'packed'>) {
  const places = new Places({ all: HTTP_LIMITS.largeResults, ofOne: HTTP_LIMITS.largeOfToken })
  return async (
    { stored, answer: _, ...turn }: StoredTurn,
    write: (piece: Uint8Array) => Promise<unknown>,
    { owner, signal }: { readonly owner: string; readonly signal: AbortSignal },
  ): Promise<void> => {
    const inTime = () => AbortSignal.any([signal, AbortSignal.timeout(HTTP_LIMITS.sendMs)])
    const isLarge = (stored?.length ?? 0) > HTTP_LIMITS.smallResult
    const leave = isLarge ? await places.wait(owner, inTime()).catch(refuse) : undefined
    try {
      const own = inTime()
      const packed = await turns.packed(stored, own)
      const result = packed === null ? Buffer.from('null') : await unpackText(packed)
      const common = JSON.stringify(turn).slice(0, -1)
      for (const part of [Buffer.from(`${common},"result":`), result, Buffer.from('}')])
        for (let at = 0; at < part.length; at += HTTP_LIMITS.pieceBytes)
          await abortable(write(part.subarray(at, at + HTTP_LIMITS.pieceBytes)), own)
    } finally {
      leave?.()
    }
  }
}

function refuse(): never {
  throw Problem.busy('too_many_results', 'Too many large results are being read.', HTTP_LIMITS.busyMs, 503)
}
