/** Matches the last line of OpenAI's streams: `data: [DONE]`. */
const DONE = /^data:\s*\[DONE\]/

/**
 * Reads the data of server-sent events from arriving bytes, each byte once. The SDK's own reader is slower: for events of one
 * character, it takes three times as long. At each read, it also searches and copies a large event again from its start. Source:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation.
 */
export class EventStream {
  readonly #decoder = new TextDecoder()
  #line = ''
  #isReturnOpen = false
  #data: string[] = []
  #dataCharacters = 0
  #lines = 0
  #isDone = false

  /** The number of lines that have ended. */
  get lines(): number {
    return this.#lines
  }

  /** The characters of the event that is not yet complete. */
  get pendingCharacters(): number {
    return this.#line.length + this.#dataCharacters
  }

  /** Whether the stream's end has arrived. */
  get isDone(): boolean {
    return this.#isDone || DONE.test(this.#line)
  }

  /**
   * Adds bytes that have arrived.
   * @returns the data of all events that are now complete
   */
  add(bytes: Uint8Array): readonly string[] {
    const text = (this.#isReturnOpen ? '\r' : '') + this.#decoder.decode(bytes, { stream: true })
    // A carriage return and a following line feed are one line end. So a carriage return at the end is kept back, because the
    // line feed may still arrive.
    this.#isReturnOpen = text.endsWith('\r')
    const [first = '', ...lines] = (this.#isReturnOpen ? text.slice(0, -1) : text).split(/\r\n|\n|\r/)
    this.#line += first
    const events: string[] = []
    for (const next of lines) {
      this.#endLine(events)
      this.#line = next
    }
    return events
  }

  #endLine(events: string[]): void {
    const line = this.#line
    this.#lines += 1
    this.#isDone ||= DONE.test(line)
    if (this.#isDone) return
    if (line.startsWith('data:')) {
      this.#data.push(line.slice(line[5] === ' ' ? 6 : 5))
      this.#dataCharacters += line.length
    }
    if (line !== '' || this.#data.length === 0) return
    events.push(this.#data.join('\n'))
    this.#data = []
    this.#dataCharacters = 0
  }
}
