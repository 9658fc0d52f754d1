/** Values that wait for their turn. People take turns, so nobody waits behind the many values of somebody else. */
export class TurnsOfPeople<Value> {
  readonly #waiting = new Map<string, Value[]>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(person: string, value: Value): void {
    const own = this.#waiting.get(person)
    if (own === undefined) this.#waiting.set(person, [value])
    else own.push(value)
  }

  /** Takes the next value of the person whose turn it is. The person's other values go behind those of everybody else. */
  next(): Value | undefined {
    for (const [person, own] of this.#waiting) {
      const value = own.shift()
      this.#waiting.delete(person)
      if (own.length > 0) this.#waiting.set(person, own)
      return value
    }
    return undefined
  }

  remove(person: string, value: Value): void {
    const left = (this.#waiting.get(person) ?? []).filter(each => each !== value)
    if (left.length > 0) this.#waiting.set(person, left)
    else this.#waiting.delete(person)
  }
}
