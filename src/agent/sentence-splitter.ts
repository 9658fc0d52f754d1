import { isTableRow } from '../closed-tables.ts'

/**
 * Ends of a sentence in running text: a stop, its closing marks and citations, then white space. A line's end always ends one. One group takes marks and
 * citations alike: with a repeat of marks on either side of the citations, a long run of marks took time by its square, at every piece of the stream.
 */
const SENTENCE_END = /[.!?…](?:["')\]]|\s*\[Q\d+(?:\s*,\s*Q\d+)*\])*(?=\s)/g
/** What opens a block of code: back-ticks with nothing but the name of a language behind them, in so far as the line has come. */
const CODE_FENCE = /^\s*```+[^`\n]*(?:\n|$)/
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|ca|no|z\.B|d\.h|Mio|Mrd|Tsd|bzw|Nr|inkl|Inc|Ltd|Co|Corp|Dr|Prof|St|bspw|ggf|max|min|avg|(?:\p{Lu}\.)*\p{Lu})\.$/iu
/** The number of a numbered line. */
const LIST_NUMBER = /^\s*\d{1,3}\.$/
/** "18. November", "3. Quartal": an ordinal of German, which a stop does not end. */
const ORDINAL = /(?:^|[\s(])\d{1,2}\.$/
const AFTER_ORDINAL =
  /^(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Quartal|Woche|Tag|Platz|Rang|Perzentil|Quantil|\p{Ll})/u
/** "Beim 90. Perzentil", "der 15. Bezirk": whatever follows. */
const ORDINAL_OF =
  /(?<!\p{L})(?:beim|am|im|vom|zum|zur|der|die|das|dem|den|des|ab|jede[rsmn]?|eine[nmrs]?|dieser|dieses|diesem)\s\d{1,3}\.$/iu
/** The stream may have brought no more than the start of the month yet. */
const PART_OF_WORD = /^\p{L}*$/u

/**
 * Cuts a streamed Markdown text into the units that an answer is checked and shown by: sentences, bullets, table rows, headings; a code block is one
 * unit. Put together, the units are the text.
 */
export class SentenceSplitter {
  #pending = ''

  /** Takes a piece of the stream; returns the units that are whole now. */
  add(text: string): string[] {
    this.#pending += text
    const units: string[] = []
    for (let end = this.#nextEnd(); end > 0; end = this.#nextEnd()) {
      units.push(this.#pending.slice(0, end))
      this.#pending = this.#pending.slice(end)
    }
    return units
  }

  /** The stream has ended: returns the rest. */
  end(): string[] {
    const rest = this.#pending
    this.#pending = ''
    return rest === '' ? [] : [rest]
  }

  /** Where the first whole sentence in what is pending ends; 0 if none has. A citation may still follow a stop that ends the pending text. */
  #nextEnd(): number {
    const fence = CODE_FENCE.exec(this.#pending)
    if (fence) {
      const close = this.#pending.indexOf('\n```', fence[0].length)
      const line = close < 0 ? -1 : this.#pending.indexOf('\n', close + 1)
      return line < 0 ? 0 : line + 1
    }
    const newline = this.#pending.indexOf('\n')
    const line = newline < 0 ? this.#pending : this.#pending.slice(0, newline + 1)
    // A table's row is one, whatever sentences its cells hold.
    if (isTableRow(line)) return newline < 0 ? 0 : newline + 1
    for (const match of line.matchAll(SENTENCE_END)) {
      const end = match.index + match[0].length
      const rest = line.slice(end).trimStart()
      const upToStop = line.slice(0, end).replace(/["')\]]+$/, '')
      if (
        isWithinCode(upToStop) ||
        isWithinWorking(upToStop) ||
        ABBREVIATION.test(upToStop) ||
        LIST_NUMBER.test(upToStop) ||
        (ORDINAL_OF.test(upToStop) && (rest === '' || /^\p{Lu}/u.test(rest))) ||
        (ORDINAL.test(upToStop) && (AFTER_ORDINAL.test(rest) || PART_OF_WORD.test(rest))) ||
        rest === '' ||
        (line[end - 1] === ')' && /^\p{Ll}/u.test(rest)) ||
        rest.startsWith('[') ||
        rest.startsWith('{=')
      )
        continue
      return end
    }
    return newline < 0 ? 0 : newline + 1
  }
}

/** A stop between back-ticks belongs to what is quoted. */
function isWithinCode(text: string): boolean {
  return text.split('`').length % 2 === 0
}

/** A stop between `{=` and `}` belongs to a working. */
function isWithinWorking(text: string): boolean {
  return text.lastIndexOf('{=') > text.lastIndexOf('}')
}
