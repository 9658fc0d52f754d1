import { type Attachment, attachments, groupsOf, hasRows, scopeOf, segmentOf } from './attachment.ts'
import { wordsBeside } from './column-words.ts'
import { isCount, isRest } from './counts.ts'
import { type Derivation, isDerived } from './derive.ts'
import { type Figure, parseFigures } from './figures.ts'
import { type GivenFigures, isGiven } from './given-figures.ts'
import { findKeys, findNames, type Mention } from './mentions.ts'
import { wrongOrder } from './order-claims.ts'
import type { ResultIndex } from './result-index.ts'
import { cellsShowing, type Match, nearest, type Scope } from './support.ts'
import { unknownNames } from './unknown-names.ts'
import {
  AGO,
  AGO_BEFORE,
  COUNTED_LOOSELY,
  DIFFERENCE_BEFORE,
  DIFFERENCE_BEHIND,
  HAS_NONE,
  LOSS_BEFORE,
  NAMELESS,
  RANK_HEADER,
  REST_BEFORE,
  SAYS,
  TOTAL_ROW,
} from './wording.ts'

const WHOLE = /\d\S*\s(?:out\s)?(?:of|von)\s(?:the\s|all\s|den\s)?$/u
/** "Of all staff (180)". */
const OF_ALL = /(?<!\p{L})(?:all|total|alle[nr]?|aller|insgesamt)\s(?:\p{L}+\s){0,2}\([$€£]?$/iu
const PER = /(?<!\p{L})(?:per|pro)\s$/iu
const MOST_FIGURES = 60

export interface Problem {
  readonly text: string
  readonly reason: string
}

/** What a text is checked against. */
export interface Grounds {
  readonly results: readonly ResultIndex[]
  readonly given: GivenFigures
  /** Lower case: the question, data questions, SQL, assumptions and column names. */
  readonly known: string
  readonly language: string
  readonly zones: readonly string[]
}

export interface Parsed {
  readonly text: string
  readonly mentions: readonly Mention[]
  readonly figures: readonly Figure[]
  /** The names of the sentence before, which "they" and "together" mean. */
  readonly earlier?: readonly Mention[]
}

export function parseText(text: string, grounds: Grounds, inCell = false): Parsed {
  const names = findNames(text, grounds.results, inCell)
  const quoted = [...text.matchAll(/`[^`]*`/g)].map(match => ({ start: match.index, end: match.index + match[0].length }))
  const unquoted = quoted.filter(span => !/^`[\d\s.,:%+-]*`$/.test(text.slice(span.start, span.end)))
  const figures = parseFigures(text, [...names, ...unquoted], `${grounds.language} ${text}`)
  const keys = findKeys(text, figures, grounds.results, grounds.zones)
  return {
    text,
    mentions: [...names, ...keys].sort((one, other) => one.start - other.start),
    figures: figures.filter(figure => !keys.some(key => key.start === figure.start) && !figure.ordinal && !isLoose(figure, text)),
  }
}

/** Number words that refer to nothing that is counted in the rows. */
function isLoose(figure: Figure, text: string): boolean {
  if (figure.word === undefined) return false
  if (figure.word === 'count' && (figure.readings[0]?.value === 1 || /^b/i.test(figure.text))) return true
  if (/^twice$/i.test(figure.text) && !/^\s(?:as|the|that|what|those|its)(?!\p{L})/u.test(text.slice(figure.end))) return true
  if (
    figure.word === 'count' &&
    /(?:^|[\s(])(?:the|these|those|die|diese|den|der)\s$/iu.test(text.slice(0, figure.start)) &&
    /^\s\p{L}+(?:est|ste|sten|most)(?!\p{L})/u.test(text.slice(figure.end))
  )
    return true
  if (/(?:first|second|other|erste|zweite|one in)\s+$/i.test(text.slice(0, figure.start))) return true
  return COUNTED_LOOSELY.test(text.slice(figure.end))
}

/** Checks a sentence or a bullet against the results that it cites. */
export function checkText(text: string, grounds: Grounds, earlier: readonly Mention[] = []): Problem[] {
  const parsed = { ...parseText(text, grounds), earlier }
  if (parsed.figures.length > MOST_FIGURES)
    return [{ text: text.slice(0, 40), reason: 'this has too many figures to be checked in one sentence' }]
  const problems: Problem[] = []
  const matches: Match[] = []
  const shown = new Map<Figure, readonly Match[]>()
  for (const figure of parsed.figures) {
    const found = checkFigure(figure, parsed, grounds)
    if (Array.isArray(found)) {
      matches.push(...found)
      shown.set(figure, found)
    } else problems.push(found as Problem)
  }
  const turned = wrongTurn(parsed, shown)
  if (turned) problems.push(turned)
  const mixed = wrongMix(parsed, grounds.results)
  if (mixed) problems.push(mixed)
  const order = problems.length === 0 ? wrongOrder(text, parsed.mentions, matches, grounds.results) : undefined
  if (order) problems.push({ text: text.slice(0, 80), reason: order })
  return [...problems, ...unknownNames(text, [...parsed.mentions, ...parsed.figures], grounds.known, grounds.results)]
}

function checkFigure(figure: Figure, parsed: Parsed, grounds: Grounds): Match[] | Problem {
  const { text, mentions, figures } = parsed
  const { results } = grounds
  const isAll = OF_ALL.test(text.slice(0, figure.start))
  const { ways, tight } = attachments(figure, figures, mentions, text, results)
  const scopes: readonly Attachment[] = ways.length > 0 ? ways : [[new Map()]]
  const isLoss = figure.sign === 0 && LOSS_BEFORE.test(text.slice(0, figure.start))
  const variants = withNeighbourUnits(figure, figures, text).flatMap((variant): Figure[] =>
    isLoss ? [variant, { ...variant, sign: -1 }] : [variant],
  )
  const words = wordsBeside(text, figure.start, figure.end)
  const behind = text.slice(figure.end)
  const isDifference = DIFFERENCE_BEHIND.test(behind) || DIFFERENCE_BEFORE.test(text.slice(0, figure.start))
  for (const variant of variants) {
    for (const scope of scopes) {
      const found = scope.map(part => cellsShowing(variant, results, part, words, grounds.zones, isDifference))
      if (found.every(matches => matches.length > 0)) return found.flat()
    }
  }
  const spoken = mentions.length === 0 ? (parsed.earlier ?? []) : mentions
  const mentionScopes = spoken.map(mention => scopeOf([mention], results))
  const segment = segmentOf(figure, text)
  const leads = !mentions.some(
    mention => mention.axis !== 'range' && mention.end <= figure.start && mention.start >= segment.start,
  )
  const wording = wordingOf(figure, text, tight)
  const isAgo = AGO.test(behind) || (figure.unit?.dimension === 'time' && AGO_BEFORE.test(text.slice(0, figure.start)))
  const groups = [
    mentions.filter(mention => mention.start >= figure.end),
    mentions.filter(mention => mention.end <= figure.start),
  ].map(side => unionOf(side, results))
  for (const variant of isAgo ? [] : variants) {
    for (const scope of scopes) {
      const parts = scope.length > 1 && !SAYS.sum.test(wording) ? scope : [union(scope)]
      const derivation: Omit<Derivation, 'scope'> = {
        results,
        wording: figure.word === 'ratio' ? text : wording,
        tight: tight && !isAll,
        isWhole: WHOLE.test(text.slice(0, figure.start)),
        words,
        groups,
        mentions: mentionScopes,
        totals:
          isAll ||
          leads ||
          SAYS.sum.test(wording) ||
          ways.length === 0 ||
          /(?:\d|\d\s?[%\p{L}]+)\s(?:out\s)?(?:of|von)\s(?:the\s|all\s|den\s)?[$€]?$/u.test(text.slice(0, figure.start)),
        direction: directionOf(figure, parsed),
      }
      if (parts.every(part => isDerived(variant, { ...derivation, scope: part }))) return []
    }
  }
  const counted =
    leads ||
    (!tight && /^\s*(?:other|more|further|andere|weitere|of|rows?)(?!\p{L})/iu.test(behind)) ||
    /(?:of the|of these|of all|der|aller)\s$/i.test(text.slice(0, figure.start))
  if (counted && isCount(figure, { results, mentions: mentionScopes, figures })) return []
  if (REST_BEFORE.test(text.slice(0, figure.start))) {
    const before = mentions.filter(mention => mention.end <= figure.start).map(mention => mention.rows)
    if (isRest(figure, results, before)) return []
  }
  if (isGiven(figure, text, grounds.given) || (PER.test(text.slice(0, figure.start)) && /^10*(?:[.,]0+)*$/.test(figure.text)))
    return []
  const year = figure.readings[0]?.value ?? 0
  if (/^(?:19|20)\d\d$/.test(figure.text) && (grounds.known.includes(figure.text) || yearsOf(results).has(year))) return []
  return unsupported(figure, scopes, results)
}

/** The words that may announce how a figure was made: those of its sentence, or of the parentheses that it stands in. */
function wordingOf(figure: Figure, text: string, isBound: boolean): string {
  const open = text.lastIndexOf('(', figure.start)
  const close = text.indexOf(')', figure.end)
  const inside = open >= 0 && close >= 0 && !text.slice(open, figure.start).includes(')')
  const near = isBound ? nearby(figure, text) : [0, text.length]
  const [start = 0, end = text.length] = inside ? [open, close] : near
  const per = /(?<!\p{L})(?:(?:per|pro)\s(?:\d[\d.,]*\s)?\p{L}+|costs?|divided by|geteilt durch)(?!\p{L})/iu.exec(text)?.[0] ?? ''
  return `${per} ${text.slice(start, figure.start)} ${text.slice(figure.end, end)}`
}

/** The part of the sentence between the breaks around a figure. */
function nearby(figure: Figure, text: string): [number, number] {
  const before = /(?:[,;:](?!\d)|\s[–—-]\s)(?:(?![,;:](?!\d)|\s[–—-]\s).)*$/su.exec(text.slice(0, figure.start))
  const behind = /[,;:)(](?!\d)|\s[–—-]\s/u.exec(text.slice(figure.end))
  return [before?.index ?? 0, behind ? figure.end + behind.index : text.length]
}

function unsupported(figure: Figure, scopes: readonly Attachment[], results: readonly ResultIndex[]): Problem {
  const ids = results.map(result => result.id).join(', ')
  const scope = scopes[0]?.[0] ?? new Map<string, readonly number[]>()
  const near = nearest(figure, results, hasRows(scope) ? scope : new Map())
  const hint = near === undefined ? '' : `; nearest is ${near.value} (${near.column}${nameOfRow(near.query, near.row, results)})`
  if (near?.fits)
    return {
      text: figure.text,
      reason: `${figure.text} does not follow from the rows of ${ids} as it is worded, though ${near.value} is ${near.column}${nameOfRow(near.query, near.row, results)}: say what it is of`,
    }
  const what = hasRows(scope) ? 'is not what the rows of' : 'is not in the rows of'
  return {
    text: figure.text,
    reason: hasRows(scope) ? `${figure.text} ${what} ${ids} hold for it${hint}` : `${figure.text} ${what} ${ids}${hint}`,
  }
}

function nameOfRow(query: string, row: number, results: readonly ResultIndex[]): string {
  const result = results.find(candidate => candidate.id === query)
  const names = [...(result?.entities.values() ?? [])].filter(entity => entity.rows.includes(row)).slice(0, 2)
  return names.length === 0 ? '' : ` of ${names.map(name => name.key).join(', ')}`
}

function yearsOf(results: readonly ResultIndex[]): Set<number> {
  return new Set(
    results.flatMap(result =>
      result.times.flatMap(column => [...column.values].slice(0, 1000).map(value => new Date(value).getUTCFullYear())),
    ),
  )
}

function union(attachment: Attachment): Scope {
  const [first, ...rest] = attachment
  if (first === undefined || rest.length === 0) return first ?? new Map()
  return new Map([...first.keys()].map(id => [id, [...new Set(attachment.flatMap(scope => scope.get(id) ?? []))]]))
}

/** The rows of each of some names, together. */
function unionOf(mentions: readonly Mention[], results: readonly ResultIndex[]): Scope {
  return new Map(results.map(result => [result.id, [...new Set(mentions.flatMap(mention => mention.rows.get(result.id) ?? []))]]))
}

/** "From 1.2 to 1.4 million SOL": a figure without unit or multiplier may have those of the next. */
function withNeighbourUnits(figure: Figure, figures: readonly Figure[], text: string): Figure[] {
  if (figure.unit !== undefined || figure.date !== undefined || figure.word === 'ratio') return [figure]
  const variants: Figure[] = [figure]
  const next = figures.find(other => other.start >= figure.end)
  if (
    next === undefined ||
    !/^\s*(?:\p{L}+\s){0,2}(?:of|to|and|von|auf|bis|und|out of|or|–|-|→|,|\/)?\s*(?:its\s|the\s|about\s|rund\s)?[$€]?$/iu.test(
      text.slice(figure.end, next.start),
    )
  )
    return variants
  const multiplier = next.readings[0]?.multiplier ?? 1
  const scaled = figure.readings.map(reading => ({
    ...reading,
    value: reading.value * multiplier,
    step: reading.step * multiplier,
    looseStep: reading.looseStep * multiplier,
    multiplier,
  }))
  if (next.unit) variants.push({ ...figure, unit: next.unit })
  if (multiplier !== 1 && figure.readings[0]?.multiplier === 1)
    variants.push({ ...figure, readings: scaled, ...(next.unit && { unit: next.unit }) })
  return variants
}

/** Whether the words around a figure say that it rose or fell. */
function directionOf(figure: Figure, parsed: Parsed): 1 | -1 | 0 {
  const { text, figures } = parsed
  const previous = figures.findLast(other => other.end <= figure.start)?.end ?? 0
  const before = /[^,;:(]*$/.exec(text.slice(previous, figure.start))?.[0] ?? ''
  const next = figures.find(other => other.start >= figure.end)?.start ?? text.length
  const behind = /^[^,;.(]*/.exec(text.slice(figure.end, next))?.[0] ?? ''
  return saidDirection(before) || saidDirection(behind)
}

function saidDirection(text: string): 1 | -1 | 0 {
  if (/slow(?:ed|s|ing)? down|s?pe(?:e?d) up|speeded up|langsamer/iu.test(text)) return 0
  const up = SAYS.up.test(text)
  const down = SAYS.down.test(text)
  return up === down ? 0 : up ? 1 : -1
}

/** Names that no row holds together, and a name that is said to have none where its row holds some. */
function wrongMix({ text, mentions }: Parsed, results: readonly ResultIndex[]): Problem | undefined {
  for (const mention of mentions) {
    if (!HAS_NONE.test(text.slice(mention.end))) continue
    const some = results.some(result => {
      const rows = mention.rows.get(result.id) ?? []
      const cells = result.numbers
        .filter(column => !column.key)
        .flatMap(column => rows.map(row => column.values[row] ?? Number.NaN))
      return cells.length > 0 && cells.every(value => value > 0)
    })
    if (some) return { text: mention.key, reason: `${text.slice(mention.start, mention.end)} does have some in the rows` }
  }
  for (const axis of new Set(mentions.map(mention => mention.axis))) {
    const list = groupsOf(
      mentions.filter(mention => mention.axis === axis),
      text,
    ).find(group => new Set(group.map(member => member.key)).size < group.length)
    const twice = list?.find((member, index) => list.findIndex(other => other.key === member.key) < index)
    if (twice && axis !== 'time' && axis !== 'key' && results.some(result => (twice.rows.get(result.id)?.length ?? 0) === 1)) {
      return { text: twice.key, reason: `${text.slice(twice.start, twice.end)} is listed twice` }
    }
  }
  if (SAYS.none.test(text)) return undefined
  for (const start of new Set(mentions.map(mention => segmentOf(mention, text).start))) {
    const inside = mentions.filter(mention => segmentOf(mention, text).start === start)
    const torn = tornNames(inside, text, results)
    if (torn) return torn
  }
  return undefined
}

/** Names of one clause, each of another column, that no row holds together. */
function tornNames(mentions: readonly Mention[], text: string, results: readonly ResultIndex[]): Problem | undefined {
  const axes = new Set(mentions.map(mention => mention.axis))
  if (mentions.length < 2 || axes.size < mentions.length) return undefined
  const apart = results.every(result => {
    const known = mentions.filter(mention => mention.rows.has(result.id))
    return known.length === mentions.length && ![...scopeOf(known, [result]).values()].some(rows => rows.length > 0)
  })
  if (!apart) return undefined
  const names = mentions.map(mention => text.slice(mention.start, mention.end))
  return { text: names.join(', '), reason: `no row holds ${names.join(' and ')} together` }
}

/** "Fell from 3 to 5", "5, up from 7": the figures contradict the verb. */
function wrongTurn(parsed: Parsed, shown: ReadonlyMap<Figure, readonly Match[]>): Problem | undefined {
  const { text, figures } = parsed
  for (const [index, one] of figures.entries()) {
    const other = figures[index + 1]
    if (other === undefined || !shown.has(one) || !shown.has(other) || one.readings.length === 0 || other.readings.length === 0)
      continue
    const between = text.slice(one.end, other.start)
    if (
      /,\s(?:of which|davon|darunter)\s$/iu.test(between) &&
      comparable(one, other) &&
      (other.readings[0]?.value ?? 0) > (one.readings[0]?.value ?? 0)
    ) {
      return { text: text.slice(one.start, other.end), reason: `${other.text} cannot be a part of ${one.text}` }
    }
    const whole =
      /(?:^|[\s(])(?:of|von)\s(?:the\s|all\s|den\s)?$/iu.test(text.slice(0, one.start)) && /^\s\p{L}+,\s$/u.test(between)
    if (
      whole &&
      one.word === undefined &&
      one.unit?.dimension === other.unit?.dimension &&
      (other.readings[0]?.value ?? 0) > (one.readings[0]?.value ?? 0)
    ) {
      return { text: text.slice(one.start, other.end), reason: `${other.text} cannot be a part of ${one.text}` }
    }
    if (AGO.test(text.slice(other.end))) continue
    if (comparable(one, other) && /^\s(?:\p{L}+\s)?(?:out of|of|von)\s(?:the\s|its\s|all\s|den\s)?[$€]?$/iu.test(between)) {
      const part = (one.readings[0]?.value ?? 0) * unitFactor(one, other)
      if (part > (other.readings[0]?.value ?? 0) * unitFactor(other, one))
        return { text: text.slice(one.start, other.end), reason: `${one.text} cannot be a part of ${other.text}` }
      continue
    }
    const lead = text.slice(Math.max(0, one.start - 60), one.start)
    const upFrom = /^[\s\S]{0,24}?\b(up|down)\s+from\s[^\d]{0,8}$/i.exec(between)
    if (upFrom) {
      const rises =
        (one.readings[0]?.value ?? 0) * unitFactor(one, other) > (other.readings[0]?.value ?? 0) * unitFactor(other, one)
      if (rises !== (upFrom[1]?.toLowerCase() === 'up'))
        return { text: text.slice(one.start, other.end), reason: `${one.text} is not ${upFrom[1]} from ${other.text}` }
      continue
    }
    if (!/^[^,;\d]{0,30}\s?(?:to|auf|→|->)\s[^\d]{0,8}$/i.test(between) || !/(?:from|von|→|:)\s[^\d]{0,8}$|^\s*$/i.test(lead))
      continue
    const said =
      saidDirection(/[^,;:]*$/.exec(lead)?.[0] ?? '') ||
      saidDirection(text.slice(figures[index - 1]?.end ?? 0, one.start)) ||
      saidDirection(/^[^,;.\d]*/.exec(text.slice(other.end))?.[0] ?? '')
    const change = Math.sign(
      (other.readings[0]?.value ?? 0) * unitFactor(other, one) - (one.readings[0]?.value ?? 0) * unitFactor(one, other),
    )
    if (said !== 0 && change === -said)
      return { text: text.slice(one.start, other.end), reason: `from ${one.text} to ${other.text} is a change the other way` }
  }
  return undefined
}

function comparable(one: Figure, other: Figure): boolean {
  return one.unit === undefined || one.unit.dimension === other.unit?.dimension
}

function unitFactor(figure: Figure, other: Figure): number {
  if (figure.unit !== undefined) return figure.unit.factor
  const multiplied = figure.readings[0]?.multiplier === 1 ? (other.readings[0]?.multiplier ?? 1) : 1
  return (
    (other.unit?.factor ?? 1) *
    (Math.abs((figure.readings[0]?.value ?? 0) - (other.readings[0]?.value ?? 0) / multiplied) <
    Math.abs(figure.readings[0]?.value ?? 0)
      ? multiplied
      : 1)
  )
}

/** A Markdown table under check: which result columns each of its columns can still be. */
export interface TableState {
  readonly header: readonly string[]
  readonly columns: Map<number, ReadonlySet<string>>
  /** Whether all cells of a column so far were names of the results. */
  readonly named: Map<number, boolean>
}

/** Checks a table's row: its figures against the rows that its names stand for, its columns against what they were in the rows before. */
export function checkRow(cells: readonly string[], table: TableState, grounds: Grounds): Problem[] {
  if (cells.length === 0) return []
  const parsed = cells.map((cell, index) => parseCell(cell, table.header[index] ?? '', grounds))
  const heads = table.header.map(header => findNames(header, grounds.results, true))
  const scopes = rowScopes(parsed, grounds.results) ?? leadingScope(parsed, grounds)
  const isTotal = TOTAL_ROW.test(cells[0] ?? '')
  const problems: Problem[] = []
  const first = scopes?.[0]
  if (first !== undefined && !hasRows(first) && !isTotal && grounds.results.some(result => result.rowCount > 0)) {
    const names = parsed.flatMap(cell => cell.mentions.map(mention => cell.text.slice(mention.start, mention.end)))
    return [{ text: names.join(', '), reason: `no row holds ${names.join(' and ')} together` }]
  }
  parsed.forEach((cell, index) => {
    const header = table.header[index] ?? ''
    const head = heads[index] ?? []
    const own = head.length > 0 && scopes === undefined ? [scopeOf(head, grounds.results)] : scopes
    for (const figure of cell.figures) {
      if (index === 0 && RANK_HEADER.test(header) && /^\W*\d+\W*$/.test(cell.text)) continue
      const found = cellSupport(figure, cell, `${header} ${cells[0] ?? ''} ${cell.text}`, own ?? [new Map()], isTotal, grounds)
      if (found === undefined) problems.push(unsupported(figure, [own ?? [new Map()]], grounds.results))
      else if (found.length > 0 && head.length === 0) narrow(table, index, found, cell.text, problems)
    }
    const stranger = strangeCell(cell, index, table, grounds)
    if (stranger) problems.push(stranger)
    problems.push(...unknownNames(cell.text, [...cell.mentions, ...cell.figures], grounds.known, grounds.results))
  })
  return problems
}

/** A cell without a name of the results in a column of such names. */
function strangeCell(cell: Parsed, index: number, table: TableState, grounds: Grounds): Problem | undefined {
  let rest = cell.text
  for (const span of [...cell.mentions, ...cell.figures].sort((one, other) => other.start - one.start))
    rest = `${rest.slice(0, span.start)} ${rest.slice(span.end)}`
  const isNamed = cell.mentions.length > 0 && !/\p{L}{3,}/u.test(rest)
  const before = table.named.get(index)
  table.named.set(index, isNamed && before !== false)
  if (
    before !== true ||
    isNamed ||
    !/\p{L}{3,}/u.test(rest) ||
    NAMELESS.test(rest) ||
    grounds.known.includes(rest.trim().toLowerCase())
  )
    return undefined
  return { text: cell.text, reason: `${cell.text} is in no row of the cited queries` }
}

function parseCell(cell: string, header: string, grounds: Grounds): Parsed {
  const unit = /\(([^)]+)\)\s*$/.exec(header)?.[1] ?? ''
  const parsed = parseText(cell, grounds, true)
  if (parsed.mentions.length > 0 || !/^[\d]+$/.test(cell)) return withHeaderUnit(parsed, unit, header)
  // A bare number under the name of a key column names the row.
  const keyed = parseText(`${header} ${cell}`, grounds, true)
  const key = keyed.mentions.find(mention => mention.start > header.length) ?? keyByHeader(cell, header, grounds.results)
  return key
    ? { text: cell, mentions: [{ ...key, start: 0, end: cell.length }], figures: [] }
    : withHeaderUnit(parsed, unit, header)
}

function keyByHeader(cell: string, header: string, results: readonly ResultIndex[]): Mention | undefined {
  const said = header.toLowerCase().match(/\p{L}+/gu) ?? []
  const rows = new Map<string, number[]>()
  for (const result of results) {
    const column = result.numbers.find(
      candidate =>
        candidate.key &&
        candidate.words.some(word => said.some(other => other === word || other === `${word}s` || `${other}s` === word)),
    )
    const row = column?.values.indexOf(Number(cell)) ?? -1
    if (row >= 0) rows.set(result.id, [row])
  }
  return rows.size > 0 ? { start: 0, end: cell.length, key: cell, axis: 'key', rows } : undefined
}

function withHeaderUnit(parsed: Parsed, unit: string, header: string): Parsed {
  const said =
    parseFigures(`1 ${unit}`, [], '')[0]?.unit ??
    (/%\s*$/.test(header) ? { dimension: 'part' as const, factor: 0.01 } : undefined)
  if (said === undefined) return parsed
  return {
    ...parsed,
    figures: parsed.figures.map(figure =>
      figure.unit === undefined && figure.date === undefined ? { ...figure, unit: said } : figure,
    ),
  }
}

/** The rows that hold the names of all cells; where a cell lists several, the rows of each. */
function rowScopes(parsed: readonly Parsed[], results: readonly ResultIndex[]): Scope[] | undefined {
  const mentions = parsed.flatMap(cell => cell.mentions)
  if (mentions.length === 0) return undefined
  const joint = scopeOf(mentions, results)
  if (hasRows(joint)) return [joint]
  const list = parsed.find(cell => cell.mentions.length > 1)
  const others = parsed.filter(cell => cell !== list).flatMap(cell => cell.mentions)
  const each = (list?.mentions ?? []).map(member => scopeOf([member, ...others], results)).filter(hasRows)
  return each.length > 0 ? each : [joint]
}

/** In a row without names its first figure, a time or a number, tells the row of the results. */
function leadingScope(parsed: readonly Parsed[], grounds: Grounds): Scope[] | undefined {
  const figure = parsed[0]?.figures[0]
  if (figure === undefined) return undefined
  const rows = new Map<string, number[]>()
  for (const match of cellsShowing(figure, grounds.results, new Map(), [], grounds.zones.slice(0, 1)))
    rows.set(match.query, [...(rows.get(match.query) ?? []), match.row])
  return rows.size > 0 ? [rows] : undefined
}

function cellSupport(
  figure: Figure,
  cell: Parsed,
  wording: string,
  scopes: readonly Scope[],
  isTotal: boolean,
  grounds: Grounds,
): Match[] | undefined {
  const { results } = grounds
  const found = scopes.map(scope => cellsShowing(figure, results, scope, [], grounds.zones))
  if (found.every(matches => matches.length > 0)) return found.flat()
  const derivation = {
    results,
    wording: isTotal ? `total ${wording}` : wording,
    mentions: scopes,
    totals: isTotal,
    direction: directionOf(figure, cell),
    words: [],
    inTable: true,
  }
  if (scopes.every(scope => isDerived(figure, { ...derivation, scope: isTotal ? new Map() : scope }))) return []
  if (isTotal && isCount(figure, { results, mentions: [], figures: [] })) return []
  return undefined
}

/** A table's column shows one column of the results, from its first row to its last. */
function narrow(table: TableState, index: number, found: readonly Match[], text: string, problems: Problem[]): void {
  const columns = new Set(found.map(match => `${match.query}.${match.column}`))
  const before = table.columns.get(index)
  const both = before === undefined ? columns : new Set([...columns].filter(column => before.has(column)))
  if (both.size > 0) table.columns.set(index, both)
  else
    problems.push({
      text,
      reason: `${text} is ${[...columns].join(' or ')}, the rows above it show ${[...(before ?? [])].join(' or ')}`,
    })
}
