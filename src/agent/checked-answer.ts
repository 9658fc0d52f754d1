import { ModelError } from '../llm/model-error.ts'
import { breather, inSlices } from '../slices.ts'
import type { UnitVerdict } from './citations/citation-checker.ts'
import { readUnit } from './citations/unit-text.ts'
import { takeWorkings } from './citations/workings/take-workings.ts'
import type { CitationReport } from './run-result.ts'
import { SentenceSplitter } from './sentence-splitter.ts'

/** Sentences of one answer that are sent back; more are marked at once, so that a bad answer ends in time. */
const MOST_REWRITES = 5
/** Sentences, bullets and table rows of one answer. Nobody reads as many in a chat; each takes up to a millisecond to check. */
const MOST_UNITS = 1_000

export interface CheckedAnswerDeps {
  /** The mark behind a statement that does not follow from the rows. */
  readonly unverified: string
  /** Settled before the first check: what that needs is made while the text is on its way. */
  readonly ready?: Promise<void>
  /** Judges the next unit, in parts; keeps what a table's header or an intro says about the lines below. */
  check(unit: string): Generator<void, UnitVerdict>
  /** Remembers where the check stands; the function returned goes back there. */
  mark(): () => void
  /** What is still missing when the text has ended: the citation of a table that was its last part. */
  end(): UnitVerdict
  /** Writes a sentence again from what is wrong with it; undefined where that cannot be had. */
  rewrite(sentence: string, problems: UnitVerdict['problems'], attempt: number): Promise<string | undefined>
  /** Hears the answer as it may be shown: whole, checked units. */
  onGrown(markdown: string): void
}

/**
 * An answer on its way out: each unit is checked as it completes and released after that. One that does not follow from the rows that
 * it cites is written again once; what still does not is released with a mark.
 */
export class CheckedAnswer {
  readonly #deps: CheckedAnswerDeps
  readonly #splitter = new SentenceSplitter()
  readonly #breathe = breather()
  #released: Promise<void>
  #markdown = ''
  #units = 0
  #checked = 0
  #rewrites = 0
  readonly #unsupported: string[] = []

  constructor(deps: CheckedAnswerDeps) {
    this.#deps = deps
    this.#released = deps.ready ?? Promise.resolve()
    // A failure shows at `end`; until then nobody may be there to see it.
    this.#released.catch(() => {})
  }

  /** Takes a piece of the text as it is written. */
  add(text: string): void {
    for (const unit of this.#splitter.add(text)) this.#queue(unit)
  }

  /** The text has ended. Resolves with the whole answer once all of it is checked. @throws ModelError `truncated` for an answer without end */
  async end(): Promise<{ readonly markdown: string; readonly citations: CitationReport }> {
    for (const unit of this.#splitter.end()) this.#queue(unit)
    await this.#released
    if (this.#units > MOST_UNITS) {
      throw new ModelError(`The model wrote more than ${MOST_UNITS} sentences.`, { kind: 'truncated' })
    }
    // What is made of the answer comes next, and the last check may have taken a slice of its own.
    await this.#breathe()
    const missing = this.#deps.end()
    if (missing.kind === 'unsupported') {
      this.#unsupported.push(...missing.problems.map(problem => problem.reason))
      this.#markdown += `\n\n${this.#mark}`
    }
    return { markdown: this.#markdown.trim(), citations: { checked: this.#checked, unsupported: this.#unsupported } }
  }

  get #mark(): string {
    return `_(${this.#deps.unverified})_`
  }

  #queue(unit: string): void {
    this.#units++
    if (this.#units > MOST_UNITS) return
    this.#released = this.#released.then(() => this.#release(unit))
    this.#released.catch(() => {})
  }

  async #release(unit: string): Promise<void> {
    // A whole answer may come at once, and a check over large results takes milliseconds.
    await this.#breathe()
    const goBack = this.#deps.mark()
    const verdict = await this.#check(unit)
    if (verdict.kind !== 'uncited') this.#checked++
    const released = verdict.kind === 'unsupported' ? await this.#mend(unit, verdict.problems, goBack) : unit
    this.#markdown += takeWorkings(released).text
    this.#deps.onGrown(this.#markdown)
  }

  async #mend(unit: string, problems: UnitVerdict['problems'], goBack: () => void): Promise<string> {
    const sentence = unit.trim()
    const [before = '', after = ''] = sentence === '' ? [unit] : unit.split(sentence)
    const isRow = sentence.startsWith('|')
    // A table's row cannot be put in other words.
    if (!isRow && this.#rewrites < MOST_REWRITES) {
      this.#rewrites++
      const rewritten = (await this.#deps.rewrite(sentence, problems, this.#rewrites))?.trim()
      goBack()
      // A model that cannot write this one again is not asked about the next.
      if (rewritten === undefined) this.#rewrites = MOST_REWRITES
      if (rewritten !== undefined && (await this.#holds(sentence, `${before}${rewritten}${after}`)))
        return `${before}${rewritten}${after}`
      // What goes out is the first wording, and the lines below go on from that.
      goBack()
      await this.#check(unit)
    }
    this.#unsupported.push(takeWorkings(sentence).text)
    return isRow ? `${before}${sentence.replace(/\|$/, `${this.#mark} |`)}${after}` : `${before}${sentence} ${this.#mark}${after}`
  }

  /** Whether what a sentence was rewritten to is of the same kind and follows from the rows, all of it: what cites nothing was not checked. */
  async #holds(sentence: string, rewritten: string): Promise<boolean> {
    const { kind } = readUnit(sentence)
    const splitter = new SentenceSplitter()
    const units = [...splitter.add(rewritten), ...splitter.end()].filter(unit => unit.trim() !== '')
    if (units.length === 0 || (kind === 'heading' && units.length > 1)) return false
    for (const [at, unit] of units.entries()) {
      const own = readUnit(unit).kind
      const isAlike = own === kind || (kind === 'bullet' && at > 0 && own === 'prose')
      const verdict = isAlike ? (await this.#check(unit)).kind : 'unsupported'
      if (verdict !== 'supported' && !(kind === 'heading' && verdict === 'uncited')) return false
    }
    return true
  }

  #check(unit: string): Promise<UnitVerdict> {
    return inSlices(this.#deps.check(unit), this.#breathe)
  }
}
