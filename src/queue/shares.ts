/** What each asker has in hand in this process, so that none has all of it, and the jobs that are put off meanwhile. */
export class Shares {
  readonly #inHand = new Map<string, number>()
  readonly #putOff = new Map<string, Set<string>>()

  /** Takes a place for an asker's job. @param most what one asker may have in hand. @returns false where the job is to be put off */
  take(asker: string, jobId: string, most: number): boolean {
    const inHand = this.#inHand.get(asker) ?? 0
    const putOff = this.#putOff.get(asker) ?? new Set()
    if (inHand >= most) {
      this.#putOff.set(asker, putOff.add(jobId))
      return false
    }
    putOff.delete(jobId)
    this.#inHand.set(asker, inHand + 1)
    return true
  }

  /** Gives a place back. */
  give(asker: string): void {
    const left = (this.#inHand.get(asker) ?? 0) - 1
    if (left > 0) this.#inHand.set(asker, left)
    else this.#inHand.delete(asker)
  }

  /** A job of the asker's that was put off, the first one first; each once. */
  next(asker: string): string | undefined {
    const putOff = this.#putOff.get(asker)
    const [first] = putOff ?? []
    if (first !== undefined) putOff?.delete(first)
    if (putOff?.size === 0) this.#putOff.delete(asker)
    return first
  }
}
