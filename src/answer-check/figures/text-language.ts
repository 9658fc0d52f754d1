const GERMAN =
  /(?<!\p{L})(?:der|die|das|und|mit|von|vom|sind|ist|im|wurden?|gab|je|auf|bei|wie|wir|welche[rs]?|am|um|nach|zu|zum|zur|hat|haben|hatten?|waren|es|eine?|aus|als|mehr|weniger|nicht|auch|davon|statt|pro|insgesamt|viele?|für|den|dem|uhr)(?!\p{L})/giu
const ENGLISH = /(?<!\p{L})(?:the|and|of|with|is|are|has|have|had|was|were|by|to|from|in|how|which|what|on|at)(?!\p{L})/giu

/** Matches words of languages that write 1.234,5 as German does: French, Spanish, Italian, Portuguese, Dutch, Polish and Swedish. */
const COMMA_LANGUAGES =
  /(?<!\p{L})(?:le|les|des|du|est|sont|avec|pour|une|dans|combien|quel(?:le)?s?|el|los|las|del|una|con|por|cuánt[ao]s?|il|gli|della|sono|quant[ioae]|os|uma|não|het|een|zijn|hoeveel|och|är|jest|ile)(?!\p{L})/giu
/** If a text has this many more German than English words, or the reverse, its language counts as known. */
const CERTAIN_WORDS = 2

/**
 * Returns the decimal mark of a text. The language of the text decides: German writes 1.234,5. If only a few words show the language, a number such
 * as "1,18 %" may overrule them. "6.0" proves nothing, because it may be a version. Undefined means that the rows decide.
 */
export function decimalMark(text: string): ',' | '.' | undefined {
  const excess = germanExcess(text) + (text.match(COMMA_LANGUAGES)?.length ?? 0)
  const byWords = excess === 0 ? undefined : excess > 0 ? ',' : '.'
  if (Math.abs(excess) >= CERTAIN_WORDS) return byWords
  const comma = /(?<![\d.,])\d+(?:\.\d{3})*,(?:\d{1,2}|\d{4,})(?![\d.,]\d|\d)/.test(text)
  const point = /(?<![\d.,])\d+(?:,\d{3})*\.(?:\d{1,2}|\d{4,})(?![\d.,]\d|\d)/.test(text)
  if (comma === point) return byWords
  if (byWords === undefined) return comma ? ',' : undefined
  return byWords === (comma ? ',' : '.') ? byWords : undefined
}

/** Returns the number of German function words minus the number of English ones. */
export function germanExcess(text: string): number {
  return (text.match(GERMAN)?.length ?? 0) - (text.match(ENGLISH)?.length ?? 0)
}
