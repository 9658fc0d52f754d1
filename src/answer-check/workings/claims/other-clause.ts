import { groupsOf } from '../../attachment.ts'
import { clausesOf } from '../../claims/order-claims.ts'
import type { TextRange } from '../../figures/figure.ts'
import type { Mention } from '../../mentions.ts'
import type { Problem } from '../../unsupported-figure.ts'
import { isLeftOut, isLevel, type OwnedPart, type Sentence } from '../name-mismatch.ts'

/** Matches the text between a figure and the name right behind it: "5,017 visits on 2 November". */
const BEHIND =
  /^\s?(?:(?!(?:to|and|or|than|more|less|fewer|und|oder|bis|als|mit)\s)\p{Ll}+\s)?(?:on|in|at|for|am|im|bei|für)\s(?:the\s|der\s|dem\s)?[`*„“"]*$/u
/** Matches words before a name that the figure is compared with, or that bounds a period. */
const APART =
  /(?<!\p{L})(?:than|as|als|wie|against|gegen|gegenüber|to|with|unlike|behind|below|above|over|under|before|after|since|from|between|until|ahead of|of|von|vor|nach|hinter|über|unter|seit|ab|bis|zu|zum|zur)\s(?:(?:the|der|die|das|dem|den|that|those|of|in|on|\p{L}+)\s)?[`*„“"]*$/iu

/** Reports a figure whose own clause names one row while its working reads another row of the sentence. */
export function otherClause(parts: readonly OwnedPart[], { parsed, grounds }: Sentence): Problem | undefined {
  const { text, mentions, written } = parsed
  const clauses = clausesOf(text)
  for (const part of parts) {
    const { figure, rows } = part
    const result = grounds.results.find(({ id }) => id === part.query)
    const isLone = parts.filter(other => other.figure === figure).length === 1
    if (figure === undefined || result === undefined || !part.isCell || rows.length !== 1 || !isLone) continue
    const isOwn = (mention: Mention) => rows.every(row => mention.rows.get(part.query)?.includes(row))
    const named = mentions.filter(
      mention => mention.rows.has(part.query) && mention.start !== figure.start && !isLeftOut(mention, parsed),
    )
    if (!named.some(isOwn)) continue
    const clause = clauses.find(({ start, end }) => figure.start >= start && figure.end <= end)
    const behind = named.find(mention => mention.start >= figure.end && BEHIND.test(text.slice(figure.end, mention.start)))
    const inside = named.filter(mention => clause !== undefined && mention.start >= clause.start && mention.end <= clause.end)
    const isFree = (mention: Mention) => !APART.test(text.slice(Math.max(0, mention.start - 40), mention.start))
    const isAlone =
      inside.length === 1 && !written.some(other => other !== figure && isWithin(other, clause) && other.date === undefined)
    const stranger = behind ?? (isAlone ? inside.find(mention => mention.end <= figure.start && isFree(mention)) : undefined)
    if (stranger === undefined || isOwn(stranger) || isLevel(stranger, part, result)) continue
    const alike = named.filter(({ axis }) => axis === stranger.axis)
    const isListed = groupsOf(alike, text).some(group => group.length > 1 && group.includes(stranger))
    if (isListed || !alike.some(isOwn)) continue
    return {
      text: figure.text,
      reason: `${figure.text} stands beside ${text.slice(stranger.start, stranger.end)}, and its working reads another row`,
    }
  }
  return undefined
}

function isWithin({ start, end }: TextRange, clause: TextRange | undefined): boolean {
  return clause !== undefined && start >= clause.start && end <= clause.end
}
