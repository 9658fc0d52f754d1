/** Places of one kind: how many are taken, and how many of them each owner holds. */
export class HeldPlaces {
  readonly #held = new Map<string, number>()
  #taken = 0

  get taken(): number {
    return this.#taken
  }

  of(owner: string): number {
    return this.#held.get(owner) ?? 0
  }

  take(owner: string): void {
    this.#count(owner, 1)
  }

  give(owner: string): void {
    this.#count(owner, -1)
  }

  #count(owner: string, change: 1 | -1): void {
    this.#taken += change
    const own = this.of(owner) + change
    if (own > 0) this.#held.set(owner, own)
    else this.#held.delete(owner)
  }
}
