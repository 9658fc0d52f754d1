import type { CheckedUnit, UnitVerdict } from '../../answer-check/citation-checker.ts'
import { readUnit } from '../../answer-check/figures/unit-text.ts'
import { withoutBraces } from '../../answer-check/formulas/braces.ts'
import type { FigureSource } from '../../answer-check/workings/figure-source.ts'
import { breather, inSlices } from '../../base/slices.ts'
import { ModelError } from '../../llm/error.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { CitationReport } from '../run/result.ts'
import { SentenceSplitter } from './sentence-splitter.ts'

export interface CheckedAnswerDeps {
  /** The text of the mark after an unsupported statement. */
  readonly unverified: string
  /** Resolves when the check can begin. If absent, it can begin at once. */
  readonly ready?: Promise<void>
  /**
   * Checks the next unit in slices, and replaces its formulas by their values. Remembers table headers and introductory lines,
   * because they apply to the lines below.
   */
  check(unit: string): Generator<void, CheckedUnit>
  /** Saves the state of the check. The returned function restores that state. */
  mark(): () => void
  /** Ends the answer. Reports what is still missing, such as the citation of the last table. */
  end(): UnitVerdict
  /** Has a sentence rewritten so that its problems are solved. Undefined if that fails. */
  rewrite(sentence: string, problems: UnitVerdict['problems'], attempt: number): Promise<string | undefined>
  /**
   * Has the words of the whole answer read, and returns the lines that do not follow from the results. Undefined if that fails.
   * If the function is absent, nobody reads them.
   */
  proofread?(lines: readonly string[], figures: readonly FigureSource[]): Promise<readonly WrongLine[] | undefined>
  /** Receives the whole answer so far, in checked units. After it was proofread, earlier units may have changed. */
  onGrown(markdown: string): void
}

/** A line that does not follow from the results. Lines count from 1. */
export interface WrongLine {
  readonly line: number
  readonly reason: string
}

/** A unit of the answer as it is shown. */
interface ShownUnit {
  /** The unit as the model wrote it, with formulas and workings. */
  readonly written: string
  readonly text: string
  readonly figures: readonly FigureSource[]
  /** The statement that is marked as unverified, or left out. */
  readonly unsupported?: string
}

/** A shown unit, and what goes back to the state of the check before it. */
interface ReleasedUnit extends ShownUnit {
  readonly goBack: () => void
}

/**
 * Checks an answer unit by unit while the model writes it. A unit is for example a sentence, a bullet or a table row, and it is
 * shown after its check. An unsupported sentence is rewritten once. If it is still unsupported, it is shown with a mark. A
 * sentence whose formula cannot be parsed is left out. If somebody proofreads the answer at its end, sentences that are found
 * wrong are treated the same way.
 */
export class CheckedAnswer {
  readonly #deps: CheckedAnswerDeps
  readonly #splitter = new SentenceSplitter()
  readonly #breathe = breather()
  #released: Promise<void>
  #markdown = ''
  readonly #shown: ReleasedUnit[] = []
  #units = 0
  #checked = 0
  #rewrites = 0

  constructor(deps: CheckedAnswerDeps) {
    this.#deps = deps
    this.#released = deps.ready ?? Promise.resolve()
    // `end` throws this error later. Until then, this handler keeps Node from reporting an unhandled rejection.
    this.#released.catch(() => {})
  }

  add(text: string): void {
    for (const unit of this.#splitter.add(text)) this.#queue(unit)
  }

  /**
   * Ends the text, and returns the checked answer.
   * @throws ModelError `truncated` if the answer does not end
   */
  async end(): Promise<{
    readonly markdown: string
    readonly citations: CitationReport
    readonly figures: readonly FigureSource[]
  }> {
    for (const unit of this.#splitter.end()) this.#queue(unit)
    await this.#released
    if (this.#units > AGENT_LIMITS.write.sentences) {
      throw new ModelError(`The model wrote more than ${AGENT_LIMITS.write.sentences} sentences.`, { kind: 'truncated' })
    }
    // The last check may have used up its slice of time. So other work runs now.
    await this.#breathe()
    const missing = this.#deps.end().problems.map(problem => problem.reason)
    if (this.#markdown.trim() === '' && this.#unsupported.length > 0)
      throw new ModelError('No sentence of the answer can be read.', { kind: 'invalid_output' })
    const { proofread } = this.#deps
    const isRead = proofread && this.#checked > 0 ? await this.#proofread(proofread) : undefined
    const citations = {
      checked: this.#checked,
      unsupported: [...this.#unsupported, ...missing],
      ...(isRead === true && { read: true as const }),
      ...(isRead === false && { unread: true as const }),
    }
    const markdown = missing.length === 0 ? this.#markdown : `${this.#markdown}\n\n${this.#mark}`
    return { markdown: markdown.trim(), citations, figures: this.#figures }
  }

  get #unsupported(): readonly string[] {
    return this.#shown.flatMap(({ unsupported }) => unsupported ?? [])
  }

  get #figures(): readonly FigureSource[] {
    return this.#shown.flatMap(({ figures }) => figures).slice(0, AGENT_LIMITS.write.figures)
  }

  get #mark(): string {
    return `_(${this.#deps.unverified})_`
  }

  #queue(unit: string): void {
    this.#units++
    if (this.#units > AGENT_LIMITS.write.sentences) return
    this.#released = this.#released.then(() => this.#release(unit))
    this.#released.catch(() => {})
  }

  async #release(unit: string): Promise<void> {
    // A whole answer may arrive at once, and checking it against large results takes milliseconds. So other work runs between the
    // units.
    await this.#breathe()
    const goBack = this.#deps.mark()
    const checked = await this.#check(unit)
    if (checked.kind !== 'uncited') this.#checked++
    const { shown, figures = [] } = checked
    const held = { written: unit, text: shown ?? '', figures }
    const released = checked.kind === 'unsupported' ? await this.#mend(held, checked, goBack) : held
    this.#shown.push({ goBack, ...released })
    this.#markdown += released.text
    this.#deps.onGrown(this.#markdown)
  }

  /**
   * Has the shown units read, and mends those that are found wrong.
   * @returns whether they could be read
   */
  async #proofread(proofread: NonNullable<CheckedAnswerDeps['proofread']>): Promise<boolean> {
    const read = this.#shown.flatMap((unit, at) => (unit.unsupported === undefined && unit.text.trim() !== '' ? [at] : []))
    const lines = read.map(at => this.#shown[at]?.text.trim() ?? '')
    const wrong = await proofread(lines, this.#figures)
    for (const { line, reason } of wrong ?? []) {
      const at = read[line - 1] ?? -1
      const unit = this.#shown[at]
      if (unit === undefined || unit.unsupported !== undefined) continue
      const { goBack, text } = unit
      const mended = await this.#mend(unit, { problems: [{ text, reason }], shown: text }, goBack)
      this.#shown[at] = { goBack, ...mended }
      this.#markdown = this.#shown.map(each => each.text).join('')
      this.#deps.onGrown(this.#markdown)
    }
    return wrong !== undefined
  }

  /** Returns what is shown instead of a unit that has problems. */
  async #mend(
    { written, figures }: ShownUnit,
    { problems, shown }: Pick<CheckedUnit, 'problems' | 'shown'>,
    goBack: () => void,
  ): Promise<ShownUnit> {
    const sentence = written.trim()
    const isRow = sentence.startsWith('|')
    // A row of a table cannot be rephrased, so it is not rewritten.
    if (!isRow && this.#rewrites < AGENT_LIMITS.write.rewrites) {
      this.#rewrites++
      const rewritten = (await this.#deps.rewrite(sentence, problems, this.#rewrites))?.trim()
      goBack()
      // If the model fails here, no other sentence of this answer is rewritten.
      if (rewritten === undefined) this.#rewrites = AGENT_LIMITS.write.rewrites
      const [before, after] = around(written)
      const held = rewritten === undefined ? undefined : await this.#held(sentence, `${before}${rewritten}${after}`)
      if (held !== undefined) return held
      // The rewritten sentence failed too, so the original is shown. It is checked again from the state before the sentence,
      // because the next sentences may refer to it.
      goBack()
      if (shown !== null) await this.#check(written)
    }
    const unsupported = shown?.trim() ?? withoutBraces(sentence)
    const [before, after] = around(shown ?? written)
    const marked = isRow ? unsupported.replace(/\|$/, `${this.#mark} |`) : `${unsupported} ${this.#mark}`
    // If a line is left out, its line end is left out too, because a blank line would split the list.
    const leftOut = isRow || readUnit(sentence).kind === 'bullet' ? '' : `${before}${after}`
    return { written, text: shown === null ? leftOut : `${before}${marked}${after}`, figures, unsupported }
  }

  /**
   * Returns a rewritten sentence as it is shown. Undefined if it is not of the same kind as the first version, such as a bullet,
   * or if the rows that it cites do not support it. A sentence without a citation is refused too, because it was not checked.
   */
  async #held(sentence: string, rewritten: string): Promise<ShownUnit | undefined> {
    const { kind } = readUnit(sentence)
    const splitter = new SentenceSplitter()
    const figures: FigureSource[] = []
    let text = ''
    let count = 0
    for (const unit of [...splitter.add(rewritten), ...splitter.end()]) {
      const own = readUnit(unit).kind
      if (own === 'blank') {
        text += unit
        continue
      }
      count += 1
      if (kind === 'heading' && count > 1) return undefined
      const isAlike = own === kind || (kind === 'bullet' && count > 1 && own === 'prose')
      const checked = isAlike ? await this.#check(unit) : undefined
      if (checked?.kind !== 'supported' && !(kind === 'heading' && checked?.kind === 'uncited')) return undefined
      text += checked.shown ?? ''
      figures.push(...(checked.figures ?? []))
    }
    return count === 0 ? undefined : { written: rewritten, text, figures }
  }

  #check(unit: string): Promise<CheckedUnit> {
    return inSlices(this.#deps.check(unit), this.#breathe)
  }
}

function around(text: string): readonly [string, string] {
  const start = text.length - text.trimStart().length
  return start === text.length ? [text, ''] : [text.slice(0, start), text.slice(text.trimEnd().length)]
}
