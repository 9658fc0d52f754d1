import type { ChatPlace } from '../chat/event.ts'

const RUN_ID = /run_[0-9a-f]{16}/g

/** The signs that a value is about a person: the name, the platform's id, and the ids of the person's runs. */
export class TracesOfPerson {
  /** `platform/id`, as the audit log has it. */
  readonly person: string
  readonly runs = new Set<string>()
  /** The texts of the person's questions. They also find what other people's runs remember of them. */
  readonly #questions = new Set<string>()
  readonly #platform: string
  readonly #user: string

  constructor(person: string) {
    this.person = person
    const slash = person.indexOf('/')
    this.#platform = person.slice(0, slash)
    this.#user = decodeURIComponent(person.slice(slash + 1))
  }

  /** Notes a run of the person, with its questions. */
  add(run: string, ...questions: readonly string[]): void {
    this.runs.add(run)
    for (const question of questions) this.#questions.add(question)
  }

  isAuthor({ author, place }: { readonly author: string; readonly place: Pick<ChatPlace, 'platform'> }): boolean {
    return author === this.#user && place.platform === this.#platform
  }

  /** Whether a key belongs to the person or to one of the person's runs. */
  inKey(key: string): boolean {
    const parts = key.split(/[{}:#/]/)
    const ids = [this.#user, encodeURIComponent(this.#user)]
    return (parts.includes(this.#platform) && ids.some(id => parts.includes(id))) || this.#hasRun(key)
  }

  /**
   * Whether a text names the person or one of the person's runs.
   * @param key the key of the text, which may have the platform
   */
  inText(text: string, key: string): boolean {
    // A text may be JSON within JSON. A name ends with a quotation mark, or with the text.
    const plain = `${text.replaceAll('\\', '')}"`
    const isAuthor = plain.includes(`"${this.#user}"`) && `${plain}${key}`.includes(this.#platform)
    return isAuthor || plain.includes(`${this.person}"`) || this.#hasRun(plain)
  }

  /** Whether a text quotes one of the person's questions. */
  quotesQuestion(text: string): boolean {
    return [...this.#questions].some(question => text.includes(JSON.stringify(question).slice(1, -1)))
  }

  #hasRun(text: string): boolean {
    return (text.match(RUN_ID) ?? []).some(run => this.runs.has(run))
  }
}
