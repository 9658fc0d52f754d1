import { isRescanDue } from '../../base/text/is-rescan-due.ts'
import { AGENT_LIMITS } from '../limits.ts'

/**
 * Matches the end of a sentence inside a line: an end mark such as a full stop, then closing marks and citations, then white
 * space. Marks and citations share one group, because with separate groups a long run of marks took quadratic time.
 */
const SENTENCE_END = /^[.!?…](?:["')\]]|\s*\[[QE]\d+(?:\s*,\s*[QE]\d+)*\])*(?=\s)/
const STOP = /[.!?…]/g
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|ca|no|z\.B|d\.h|Mio|Mrd|Tsd|bzw|Nr|inkl|Inc|Ltd|Co|Corp|Dr|Prof|St|bspw|ggf|max|min|avg|(?:\p{Lu}\.)*\p{Lu})\.$/iu
/** Matches the number at the start of a line in a numbered list. */
const LIST_NUMBER = /^\d{1,3}\.$/
/** Matches a German ordinal such as "18. November" or "3. Quartal". Its full stop does not end the sentence. */
const ORDINAL = /(?:^|[\s("„“‚»«])\d{1,2}\.$/
const AFTER_ORDINAL =
  /^(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Quartal|Woche|Tag|Platz|Rang|Perzentil|Quantil|\p{Ll})/u
/** Matches an ordinal after a German article or preposition, whatever word follows: "Beim 90. Perzentil", "der 15. Bezirk". */
const ORDINAL_OF =
  /(?<!\p{L})(?:beim|am|im|vom|zum|zur|der|die|das|dem|den|des|ab|jede[rsmn]?|eine[nmrs]?|dieser|dieses|diesem)\s\d{1,3}\.$/iu
/** Matches a whole word or a part of one, because only the start of a month's name may have arrived so far. */
const PART_OF_WORD = /^\p{L}*$/u
/**
 * Matches text after an end mark that does not yet tell whether the sentence ends there. It is the start of a word, of a formula
 * or of a citation.
 */
const UNDECIDED = /^(?:\p{L}*|\{|\[[QE\d,\s\]["')]*)$/u

/**
 * Splits streamed Markdown into the units that are checked and shown: sentences, bullets, table rows, headings and code blocks.
 * Joined, the units equal the text. A long incomplete unit is searched again only after it has grown by a fraction of its length.
 * So the total time is linear, no matter how small the pieces of the stream are.
 */
export class SentenceSplitter {
  #pending = ''
  /** Text that has arrived but has not been searched. */
  #arrived = ''
  readonly #newline = new FirstPlace(/\n/g)
  readonly #ink = new FirstPlace(/\S/g)
  readonly #pastQuote = new FirstPlace(/[^\s>]/g)
  #fence: CodeFence | undefined
  #line = new ReadLine()

  /** Adds a piece of the stream. Returns the units that are now complete. */
  add(text: string): string[] {
    this.#arrived += text
    const looked = this.#pending.length
    return isRescanDue(looked + this.#arrived.length, looked) ? this.#wholeUnits() : []
  }

  /** Ends the stream. Returns the units that are left. */
  end(): string[] {
    const units = this.#arrived === '' ? [] : this.#wholeUnits()
    const rest = this.#pending
    this.#cut(rest.length)
    return rest === '' ? units : [...units, rest]
  }

  #wholeUnits(): string[] {
    this.#pending += this.#arrived
    this.#arrived = ''
    const units: string[] = []
    for (let end = this.#nextEnd(); end > 0; end = this.#nextEnd()) {
      units.push(this.#pending.slice(0, end))
      this.#cut(end)
    }
    return units
  }

  #cut(length: number): void {
    this.#pending = this.#pending.slice(length)
    for (const place of [this.#newline, this.#ink, this.#pastQuote]) place.cut(length)
    this.#fence = undefined
    this.#line = new ReadLine()
  }

  /**
   * Returns the end of the first complete unit in the pending text, or 0 if none is complete. A sentence at the end of the text
   * is not complete, because a citation may still follow.
   */
  #nextEnd(): number {
    const ink = this.#ink.in(this.#pending)
    if (this.#pending.startsWith('```', ink)) {
      this.#fence ??= new CodeFence(ink)
      const end = this.#fence.endIn(this.#pending)
      if (end !== undefined) return end
    }
    const newline = this.#newline.in(this.#pending)
    const lineEnd = newline < 0 ? this.#pending.length : newline + 1
    const first = this.#pastQuote.in(this.#pending)
    // A table row is one unit, even if its cells contain end marks.
    if (first < lineEnd && this.#pending[first] === '|') return newline < 0 ? 0 : newline + 1
    const line = newline < 0 ? this.#pending : this.#pending.slice(0, lineEnd)
    return this.#line.sentenceEnd(line, ink) ?? (newline < 0 ? 0 : newline + 1)
  }
}

/** Finds the first match in a text that grows at its end and is cut at its start. Searches each character only once. */
class FirstPlace {
  readonly #expression: RegExp
  /**
   * This many characters at the end of the text are searched again when text arrives, because a match may begin in them and be
   * completed by later text.
   */
  readonly #overlap: number
  #looked: number
  #at: number | undefined

  constructor(expression: RegExp, { from = 0, overlap = 0 }: { readonly from?: number; readonly overlap?: number } = {}) {
    this.#expression = new RegExp(expression)
    this.#overlap = overlap
    this.#looked = from
  }

  /** @returns -1 if there is no match yet */
  in(text: string): number {
    if (this.#at !== undefined) return this.#at
    this.#expression.lastIndex = this.#looked
    this.#at = this.#expression.exec(text)?.index
    this.#looked = Math.max(this.#looked, text.length - this.#overlap)
    return this.#at ?? -1
  }

  cut(length: number): void {
    const isBehind = this.#at === undefined ? this.#looked >= length : this.#at >= length
    this.#looked = isBehind ? this.#looked - length : 0
    this.#at = isBehind && this.#at !== undefined ? this.#at - length : undefined
  }
}

/** A code block. At first, only its opening back-ticks may have arrived, with or without the name of a language. */
class CodeFence {
  readonly #pastTicks: FirstPlace
  #pastName: FirstPlace | undefined
  #close: FirstPlace | undefined
  #end: FirstPlace | undefined

  constructor(start: number) {
    this.#pastTicks = new FirstPlace(/[^`]/g, { from: start })
  }

  /** @returns the end of the block; 0 while it is open; undefined if the back-ticks do not begin a block */
  endIn(text: string): number | undefined {
    const name = this.#pastTicks.in(text)
    if (name < 0) return 0
    this.#pastName ??= new FirstPlace(/[\n`]/g, { from: name })
    const line = this.#pastName.in(text)
    if (line < 0) return 0
    if (text[line] === '`') return undefined
    this.#close ??= new FirstPlace(/\n```/g, { from: line + 1, overlap: 3 })
    const close = this.#close.in(text)
    if (close < 0) return 0
    this.#end ??= new FirstPlace(/\n/g, { from: close + 1 })
    return this.#end.in(text) + 1
  }
}

/** The state of the search in a line that is still growing. */
class ReadLine {
  /** The index from which the search for the end of a sentence continues. */
  #from = 0
  /** Before this index, back-ticks and braces are already counted. */
  #counted = 0
  #isCode = false
  #isFormula = false

  /** @param ink the index of the first character that is not a space */
  sentenceEnd(line: string, ink: number): number | undefined {
    const from = this.#from
    let isDecided = true
    for (const { index } of line.slice(from).matchAll(STOP)) {
      const stop = from + index
      const behind = line.slice(stop)
      this.#from = stop
      this.#count(line, stop)
      const match = SENTENCE_END.exec(behind)?.[0]
      if (match !== undefined && this.#ends(line, ink, stop + match.length)) return stop + match.length
      isDecided = !mayBecomeAnother(behind)
    }
    if (isDecided) this.#from = line.length
    return undefined
  }

  #count(line: string, end: number): void {
    const text = line.slice(this.#counted, end)
    this.#counted = end
    if ((text.match(/`/g)?.length ?? 0) % 2 === 1) this.#isCode = !this.#isCode
    const opened = text.lastIndexOf('{')
    const closed = text.lastIndexOf('}')
    if (opened !== closed) this.#isFormula = opened > closed
  }

  #ends(line: string, ink: number, end: number): boolean {
    // Between back-ticks, a full stop is part of code. Between braces, it is part of a formula.
    if (this.#isCode || this.#isFormula) return false
    const rest = line.slice(end).trimStart()
    if (rest === '' || rest.startsWith('[') || rest.startsWith('{=')) return false
    if (line[end - 1] === ')' && /^\p{Ll}/u.test(rest)) return false
    const upToStop = line.slice(Math.max(ink, end - AGENT_LIMITS.write.tailCharacters), end).replace(/(?<!["')\]])["')\]]+$/, '')
    return !(
      ABBREVIATION.test(upToStop) ||
      (end - ink <= AGENT_LIMITS.write.tailCharacters && LIST_NUMBER.test(upToStop)) ||
      (ORDINAL_OF.test(upToStop) && /^\p{Lu}/u.test(rest)) ||
      (ORDINAL.test(upToStop) &&
        (AFTER_ORDINAL.test(rest) || PART_OF_WORD.test(rest.slice(0, AGENT_LIMITS.write.undecidedCharacters))))
    )
  }
}

/** Whether later text may show that the sentence does not end at this end mark. */
function mayBecomeAnother(stop: string): boolean {
  return stop.length <= AGENT_LIMITS.write.undecidedCharacters && UNDECIDED.test(stop.slice(1).replace(/^["')\]\s]+/, ''))
}
