/** Values that wait, grouped by person. People take turns, so the many values of one person delay nobody else. */
export class TurnsOfPeople<Value> {
  readonly #waiting = new Map<string, Value[]>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** The number of values. */
  get size(): number {
    return [...this.#waiting.values()].reduce((sum, own) => sum + own.length, 0)
  }

  has(person: string): boolean {
    return this.#waiting.has(person)
  }

  add(person: string, value: Value): void {
    const own = this.#waiting.get(person)
    if (own === undefined) this.#waiting.set(person, [value])
    else own.push(value)
  }

  /**
   * Returns the next value of the person whose turn it is. After that, everybody else has a turn before this person's next one.
   * @param mayGo whether it can be this person's turn; default: always
   */
  next(mayGo: (person: string) => boolean = () => true): Value | undefined {
    for (const person of this.#waiting.keys()) if (mayGo(person)) return this.nextOf(person)
    return undefined
  }

  /** Returns the next value of this person. After that, everybody else has a turn before this person's next one. */
  nextOf(person: string): Value | undefined {
    const own = this.#waiting.get(person)
    const value = own?.shift()
    this.#waiting.delete(person)
    if (own !== undefined && own.length > 0) this.#waiting.set(person, own)
    return value
  }

  remove(person: string, value: Value): void {
    const left = (this.#waiting.get(person) ?? []).filter(each => each !== value)
    if (left.length > 0) this.#waiting.set(person, left)
    else this.#waiting.delete(person)
  }
}
