import type { Language } from '../../words/language.ts'
import { decimalMark } from '../figures/wording.ts'

/** Matches words of languages that write 1.234,5 as German does: French, Spanish, Italian, Portuguese, Dutch, Polish and Swedish. */
const OTHERS =
  /(?<!\p{L})(?:le|les|des|du|est|sont|avec|pour|une|dans|combien|quel(?:le)?s?|el|los|las|del|una|con|por|cuánt[ao]s?|il|gli|della|sono|quant[ioae]|os|uma|não|het|een|zijn|hoeveel|och|är|jest|ile)(?!\p{L})/giu
const ENGLISH = /(?<!\p{L})(?:the|and|of|with|is|are|has|have|had|was|were|by|to|from|which|what)(?!\p{L})/giu
const CERTAIN_WORDS = 2

/**
 * Returns the language whose figures a text has: German figures for all languages with a decimal comma.
 * @param words the question, the answer's first sentence and the text
 * @param otherwise the language of a text that tells none
 */
export function figureLanguage(words: string, otherwise: Language): Language {
  const others = (words.match(OTHERS)?.length ?? 0) - (words.match(ENGLISH)?.length ?? 0)
  const mark = others >= CERTAIN_WORDS ? ',' : decimalMark(words)
  return mark === undefined ? otherwise : mark === ',' ? 'de' : 'en'
}
