const RUN_ID = /run_[0-9a-f]{16}/g

/** What tells that a value is about a person: the name, the platform's id, and the ids of the person's runs. */
export class TracesOfPerson {
  /** `platform/id`, as the audit log has it. */
  readonly person: string
  readonly runs = new Set<string>()
  /** The person's questions. What somebody else's run has remembered of them is found by their text. */
  readonly questions = new Set<string>()
  readonly #platform: string
  readonly #user: string
  readonly #names: RegExp

  constructor(person: string) {
    this.person = person
    const slash = person.indexOf('/')
    this.#platform = person.slice(0, slash)
    this.#user = decodeURIComponent(person.slice(slash + 1))
    this.#names = new RegExp(`(?<![\\w%.-])${escaped(person)}(?![\\w%.-])`)
  }

  isAuthor(author: string, platform: string): boolean {
    return author === this.#user && platform === this.#platform
  }

  /** Whether a key belongs to the person or to one of the person's runs. */
  inKey(key: string): boolean {
    const parts = key.split(/[{}:#/]/)
    const isPerson = parts.includes(this.#platform) && [this.#user, encodeURIComponent(this.#user)].some(id => parts.includes(id))
    return isPerson || this.#hasRun(key)
  }

  /**
   * Whether a text names the person or one of the person's runs.
   * @param key the key of the text, which may have the platform
   */
  inText(text: string, key: string): boolean {
    // A text may be JSON within JSON.
    const plain = text.replaceAll('\\', '')
    const isPerson = plain.includes(`"${this.#user}"`) && [plain, key].some(each => each.includes(this.#platform))
    return isPerson || this.#names.test(plain) || this.#hasRun(plain)
  }

  /** Whether a text quotes one of the person's questions. */
  quotesQuestion(text: string): boolean {
    return [...this.questions].some(question => text.includes(JSON.stringify(question).slice(1, -1)))
  }

  #hasRun(text: string): boolean {
    return (text.match(RUN_ID) ?? []).some(run => this.runs.has(run))
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
