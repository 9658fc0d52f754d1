import { getDefaults, Lexer, type Token, Tokenizer, type TokensList } from 'marked'

/** Characters at which the parser begins a new piece of a line. */
const MARK = /[\\<![`*~_@]|:\/\/|www\.| {2}\n/g
/** Chosen: what parsing the marks of a text may take. It grows by their number times the length of the run of text that they stand in; it is 0.2 s at most. */
const MOST_WORK = 20_000_000
/** Chosen: characters that are read again because lists or quotations hold them. */
const MOST_NESTED = 2_000_000

/** Thrown in the midst of parsing. */
class TangledError extends Error {}

/** The parser for text that others write: it gives up on what would take time by the square of its length. */
class BoundedLexer extends Lexer {
  #work = 0
  #nested = 0

  override inlineTokens(source: string, tokens?: Token[]): Token[] {
    this.#work += (source.match(MARK)?.length ?? 0) * source.length
    if (this.#work > MOST_WORK) throw new TangledError()
    return super.inlineTokens(source, tokens)
  }

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[]
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList
  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[] {
    this.#nested += source.length
    if (this.#nested > MOST_NESTED) throw new TangledError()
    return super.blockTokens(source, tokens, lastParagraphClipped)
  }
}

/** Definitions of references show nothing themselves, and turn [Q1] into a link. */
class WithoutDefinitions extends Tokenizer {
  override def(): undefined {
    return undefined
  }
}

/**
 * The blocks of a Markdown text, in time that grows with its length.
 * @returns undefined where it holds too many marks in one run of text, or is nested too deep
 */
export function markdownTokens(
  markdown: string,
  { definitions }: { readonly definitions: boolean },
): readonly Token[] | undefined {
  try {
    const options = { ...getDefaults(), gfm: true, tokenizer: definitions ? new Tokenizer() : new WithoutDefinitions() }
    return new BoundedLexer(options).lex(markdown)
  } catch {
    // Nesting some thousand levels deep overflows the parser's stack.
    return undefined
  }
}
