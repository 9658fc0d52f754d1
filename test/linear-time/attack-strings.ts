import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Characters of all classes that regular expressions distinguish: letters, digits, white space, symbols and non-ASCII letters. */
const PALETTE = [...'a 0\n_-.,:;"\'`*|~<>(){}[]\\/+=$€%#@!?^&…–“”’AZzbe\tßя😀', '\u0001', '\r\n']
/** The number of different texts that are made for each part of an expression, with other alternatives and characters. */
const VARIANTS = 4

type Parts = readonly AST.Element[]

/**
 * Yields the worst texts for an expression, derived from its form. Each repeats the content of one of its repeats, and ends where nothing matches.
 * The part before comes once, or with every repeat. Each text is a function of its length.
 */
export function* attackStrings(source: string, flags: string): Generator<(length: number) => string> {
  const unicode = flags.includes('u')
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode, unicodeSets: flags.includes('v') })
  const accepted = acceptedCharacters(flags)
  const tried = new Set<string>()
  for (const { before, element, after } of repeatsIn(pattern.alternatives)) {
    for (let variant = 0; variant < VARIANTS; variant++) {
      const write = (parts: Parts) => parts.map(part => sample(part, variant, accepted)).join('')
      const lead = write(before)
      const inner = write([element])
      const rest = write(after)
      for (const [start, pumped] of [
        [lead, inner],
        ['', lead + inner],
        ['', lead],
        ['', lead + inner + rest],
        [lead, inner + rest],
      ] as const) {
        if (pumped === '') continue
        for (const end of ['', '\u0001', '\n\u0001', 'a\n']) {
          const key = JSON.stringify([start, pumped, end])
          if (tried.has(key)) continue
          tried.add(key)
          yield length => start + pumped.repeat(Math.ceil(length / pumped.length)) + end
        }
      }
    }
  }
}

interface Repeat {
  readonly before: Parts
  readonly element: AST.Element
  readonly after: Parts
}

/** Yields each part of an expression that may repeat without a limit or very often, also inside lookarounds. */
function* repeatsIn(alternatives: readonly AST.Alternative[], before: Parts = [], after: Parts = []): Generator<Repeat> {
  for (const { elements } of alternatives) {
    for (const [index, element] of elements.entries()) {
      const around = { before: [...before, ...elements.slice(0, index)], after: [...elements.slice(index + 1), ...after] }
      const inner = element.type === 'Quantifier' ? element.element : element
      if (element.type === 'Quantifier' && element.max > 9) yield { ...around, element: inner }
      if ('alternatives' in inner) yield* repeatsIn(inner.alternatives, around.before, around.after)
    }
  }
}

function sample(element: AST.Element, variant: number, accepted: (raw: string) => readonly string[]): string {
  if (element.type === 'Character') return String.fromCodePoint(element.value)
  if (element.type === 'Quantifier') {
    const times = Math.max(element.min, Math.min(element.max, variant === 1 ? 0 : 1))
    return sample(element.element, variant, accepted).repeat(times)
  }
  if (element.type === 'Group' || element.type === 'CapturingGroup') {
    const alternative = element.alternatives[variant % element.alternatives.length]
    return (alternative?.elements ?? []).map(part => sample(part, variant, accepted)).join('')
  }
  if (element.type === 'Assertion') return ''
  if (element.type === 'Backreference') {
    const group = Array.isArray(element.resolved) ? element.resolved[0] : element.resolved
    return group === undefined ? '' : sample(group, variant, accepted)
  }
  const characters = accepted(element.raw)
  // The last variant alternates between several classes of characters.
  if (variant === VARIANTS - 1) return characters.slice(0, 4).join('')
  return characters[variant % Math.max(1, characters.length)] ?? ''
}

function acceptedCharacters(flags: string): (raw: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return raw => {
    const expression = new RegExp(`^${raw}$`, flags.replace(/[gy]/g, ''))
    const characters = known.get(raw) ?? PALETTE.filter(character => expression.test(character))
    known.set(raw, characters)
    return characters
  }
}
