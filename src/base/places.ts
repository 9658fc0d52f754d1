import { HeldPlaces } from './held-places.ts'
import { TurnsOfPeople } from './turns-of-people.ts'

/** A number of places, of which one owner may take only some. Owners who wait take turns. */
export class Places {
  readonly #most: { readonly all: number; readonly ofOne: number }
  readonly #held = new HeldPlaces()
  readonly #waiting = new TurnsOfPeople<() => void>()

  constructor(most: { readonly all: number; readonly ofOne: number }) {
    this.#most = most
  }

  /** The number of places that are free. */
  get free(): number {
    return this.#most.all - this.#held.taken
  }

  /** The number of those who wait. */
  get waiting(): number {
    return this.#waiting.size
  }

  heldBy(owner: string): number {
    return this.#held.of(owner)
  }

  isFreeFor(owner: string): boolean {
    return this.free > 0 && this.heldBy(owner) < this.#most.ofOne
  }

  /** Takes a place. @returns gives it back, and does nothing if called again; undefined if none is free for this owner */
  take(owner: string): (() => void) | undefined {
    if (!this.isFreeFor(owner)) return undefined
    this.#held.take(owner)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#held.give(owner)
      this.#waiting.next(each => this.isFreeFor(each))?.()
    }
  }

  /** Waits for a place. @throws the signal's reason */
  wait(owner: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.remove(owner, enter)
        reject(signal.reason)
      }
      const enter = () => {
        const held = this.take(owner)
        if (held === undefined) return false
        signal.removeEventListener('abort', leave)
        resolve(held)
        return true
      }
      if (signal.aborted) return reject(signal.reason)
      if (enter()) return
      this.#waiting.add(owner, enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
