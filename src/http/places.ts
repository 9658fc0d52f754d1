import { TurnsOfPeople } from '../base/turns-of-people.ts'

/** A number of places, of which one owner may take only some. Owners who wait take turns. */
export class Places {
  readonly #most: { readonly all: number; readonly ofOne: number }
  readonly #held = new Map<string, number>()
  readonly #waiting = new TurnsOfPeople<() => void>()
  #taken = 0

  constructor(most: { readonly all: number; readonly ofOne: number }) {
    this.#most = most
  }

  heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0
  }

  /** Takes a place. @returns gives it back, and does nothing if called again; undefined if none is free for this owner */
  take(owner: string): (() => void) | undefined {
    if (this.#taken >= this.#most.all || this.heldBy(owner) >= this.#most.ofOne) return undefined
    this.#count(owner, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#count(owner, -1)
      this.#waiting.next(each => this.#taken < this.#most.all && this.heldBy(each) < this.#most.ofOne)?.()
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

  #count(owner: string, change: 1 | -1): void {
    this.#taken += change
    const own = this.heldBy(owner) + change
    if (own > 0) this.#held.set(owner, own)
    else this.#held.delete(owner)
  }
}
