import { unpackText } from '../base/text/packed-text.ts'
import { TurnsOfPeople } from '../base/turns-of-people.ts'
import { abortable } from '../store/abortable.ts'
import { HTTP_LIMITS } from './limits.ts'
import { Problem } from './problem.ts'
import type { StoredTurn, TurnClient } from './turn-client.ts'

/**
 * Writes whole turns as JSON, at the speed of their readers. A large result takes one of few places while it is in memory, and
 * readers that are too slow lose it. Tokens take turns.
 */
export class TurnBodies {
  readonly #places = new Map<string, number>()
  readonly #waiting = new TurnsOfPeople<() => void>()
  readonly #turns: Pick<TurnClient, 'packed'>
  #taken = 0

  constructor(turns: Pick<TurnClient, 'packed'>) {
    this.#turns = turns
  }

  /**
   * @param write gets the JSON in pieces, and resolves when the reader has room for more
   * @throws Problem if there is no place in time; the signal's reason, or a TimeoutError, if the reader is gone or too slow
   */
  async write(
    { stored, ...turn }: StoredTurn,
    write: (piece: Uint8Array) => Promise<unknown>,
    { token, signal }: { readonly token: string; readonly signal: AbortSignal },
  ): Promise<void> {
    const common = JSON.stringify(turn).slice(0, -1)
    const isLarge = (stored?.length ?? 0) > HTTP_LIMITS.smallResult
    const leave = isLarge ? await this.#enter(token, signal) : undefined
    try {
      const own = AbortSignal.any([signal, AbortSignal.timeout(HTTP_LIMITS.sendMs)])
      const packed = await this.#turns.packed({ ...turn, stored }, own)
      const result = packed === null ? Buffer.from('null') : await unpackText(packed)
      for (const part of [Buffer.from(`${common},"result":`), result, Buffer.from('}')])
        for (let at = 0; at < part.length; at += HTTP_LIMITS.pieceBytes)
          await abortable(write(part.subarray(at, at + HTTP_LIMITS.pieceBytes)), own)
    } finally {
      leave?.()
    }
  }

  async #enter(token: string, signal: AbortSignal): Promise<() => void> {
    const isFree = this.#taken < HTTP_LIMITS.largeResults && (this.#places.get(token) ?? 0) < HTTP_LIMITS.largeOfToken
    if (isFree) this.#take(token)
    else await this.#wait(token, signal)
    return () => this.#leave(token)
  }

  async #wait(token: string, signal: AbortSignal): Promise<void> {
    let goOn = () => {}
    const turn = new Promise<void>(resolve => {
      goOn = resolve
    })
    this.#waiting.add(token, goOn)
    try {
      await abortable(turn, AbortSignal.any([signal, AbortSignal.timeout(HTTP_LIMITS.sendMs)]))
    } catch {
      this.#waiting.remove(token, goOn)
      throw Problem.busy('too_many_results', 'Too many large results are being read.', HTTP_LIMITS.busyMs, 503)
    }
  }

  #take(token: string): void {
    this.#taken += 1
    this.#places.set(token, (this.#places.get(token) ?? 0) + 1)
  }

  #leave(token: string): void {
    this.#taken -= 1
    const own = (this.#places.get(token) ?? 1) - 1
    if (own > 0) this.#places.set(token, own)
    else this.#places.delete(token)
    let next = ''
    const goOn = this.#waiting.next(each => {
      next = each
      return (this.#places.get(each) ?? 0) < HTTP_LIMITS.largeOfToken
    })
    if (goOn === undefined) return
    this.#take(next)
    goOn()
  }
}
