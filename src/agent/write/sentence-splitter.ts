import { isRescanDue } from '../../base/is-rescan-due.ts'
import { AGENT_LIMITS } from '../limits.ts'

/**
 * A sentence's end in running text: a stop, closing marks and citations, then white space. The end of a line also ends a
 * sentence. Marks and citations share one group, because separate repeats took quadratic time on long runs of marks.
 */
const SENTENCE_END = /^[.!?…](?:["')\]]|\s*\[Q\d+(?:\s*,\s*Q\d+)*\])*(?=\s)/
const STOP = /[.!?…]/g
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|ca|no|z\.B|d\.h|Mio|Mrd|Tsd|bzw|Nr|inkl|Inc|Ltd|Co|Corp|Dr|Prof|St|bspw|ggf|max|min|avg|(?:\p{Lu}\.)*\p{Lu})\.$/iu
/** The number of a numbered line. */
const LIST_NUMBER = /^\d{1,3}\.$/
/** A German ordinal such as "18. November" or "3. Quartal", whose stop ends no sentence. */
const ORDINAL = /(?:^|[\s(])\d{1,2}\.$/
const AFTER_ORDINAL =
  /^(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Quartal|Woche|Tag|Platz|Rang|Perzentil|Quantil|\p{Ll})/u
/** "Beim 90. Perzentil", "der 15. Bezirk": an ordinal before any word. */
const ORDINAL_OF =
  /(?<!\p{L})(?:beim|am|im|vom|zum|zur|der|die|das|dem|den|des|ab|jede[rsmn]?|eine[nmrs]?|dieser|dieses|diesem)\s\d{1,3}\.$/iu
/** The stream may have delivered only the start of the month. */
const PART_OF_WORD = /^\p{L}*$/u
/** A stop with this text behind it may still change its meaning. The text is the start of a word, a working or a citation. */
const UNDECIDED = /^(?:\p{L}*|\{|\[[Q\d,\s\]["')]*)$/u

/**
 * Splits streamed Markdown into the units that are checked and shown: sentences, bullets, table rows, headings and code blocks.
 * The units concatenate to the text. Each part of the text is searched only once.
 * A long unit is looked at again only when it has grown by a part of itself, so pieces of any size take linear time together.
 */
export class SentenceSplitter {
  #pending = ''
  /** The text that is not looked at yet. */
  #arrived = ''
  readonly #newline = new FirstPlace(/\n/g)
  readonly #ink = new FirstPlace(/\S/g)
  readonly #pastQuote = new FirstPlace(/[^\s>]/g)
  #fence: CodeFence | undefined
  #line = new ReadLine()

  /** Takes a piece of the stream and returns the units that are now complete. */
  add(text: string): string[] {
    this.#arrived += text
    const looked = this.#pending.length
    return isRescanDue(looked + this.#arrived.length, looked) ? this.#wholeUnits() : []
  }

  /** Returns the rest at the end of the stream. */
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

  /** The end of the first complete sentence in the pending text; 0 if there is none. A citation may still follow a final stop. */
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
    // A table row is one unit, whatever its cells contain.
    if (first < lineEnd && this.#pending[first] === '|') return newline < 0 ? 0 : newline + 1
    const line = newline < 0 ? this.#pending : this.#pending.slice(0, lineEnd)
    return this.#line.sentenceEnd(line, ink) ?? (newline < 0 ? 0 : newline + 1)
  }
}

/** The first match in a text that grows at its end and is cut at its start. It reads each character once. */
class FirstPlace {
  readonly #expression: RegExp
  /** The most characters at the text's end that a match may start with. */
  readonly #overlap: number
  #looked: number
  #at: number | undefined

  constructor(expression: RegExp, { from = 0, overlap = 0 }: { readonly from?: number; readonly overlap?: number } = {}) {
    this.#expression = new RegExp(expression)
    this.#overlap = overlap
    this.#looked = from
  }

  /** @returns a negative number if there is no match yet */
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

/** A code block, or text that may still become one: back-ticks with only a language name after them. */
class CodeFence {
  readonly #pastTicks: FirstPlace
  #pastName: FirstPlace | undefined
  #close: FirstPlace | undefined
  #end: FirstPlace | undefined

  constructor(start: number) {
    this.#pastTicks = new FirstPlace(/[^`]/g, { from: start })
  }

  /** 0 while the block is open; undefined if there is no block. */
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

/** The search state within a growing line. */
class ReadLine {
  /** No sentence can end before this index. */
  #from = 0
  /** Back-ticks and braces are counted up to here. */
  #counted = 0
  #isCode = false
  #isWorking = false

  /** @param ink the index of the first non-space character */
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
    const opened = text.lastIndexOf('{=')
    const closed = text.lastIndexOf('}')
    if (opened !== closed) this.#isWorking = opened > closed
  }

  #ends(line: string, ink: number, end: number): boolean {
    // A stop between back-ticks belongs to the quoted text, and a stop between `{=` and `}` to a working.
    if (this.#isCode || this.#isWorking) return false
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

/** Whether further text may change the meaning of this stop. */
function mayBecomeAnother(stop: string): boolean {
  return stop.length <= AGENT_LIMITS.write.undecidedCharacters && UNDECIDED.test(stop.slice(1).replace(/^["')\]\s]+/, ''))
}
