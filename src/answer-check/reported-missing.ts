import type { Figure } from './figures/figure.ts'
import { AT_AN_END, PERIOD_END, PERIOD_START } from './figures/wording.ts'

const NONE_BEFORE =
  /(?<!\p{L})(?:no|none|nothing|not|never|neither|kein\p{L}*|nicht|aucune?|ningun[oa]?|ningún|nessun[oa]?|nenhuma?|geen|ingen|brak)\s(?:[^,;:.]|[.:,](?=\d))*$/iu
/** Matches words behind a time that report it as missing, such as "has no" in "The hour from 23:00 has no row". */
const NONE_BEHIND =
  /^,?\s(?:(?:gibt es|there (?:is|are)|has|have|had|is|are|was|were|hat|haben|fehlt|fehlen|is missing)\s(?:\p{L}+\s)?(?:no|none|not|kein\p{L}*|missing|absent|gap)|fehl\p{L}*)(?!\p{L})/iu
/** Matches the other days of a list, behind its first day: all behind the "11." of "11., 18. und 25. Oktober 2026". */
const DAYS_BEHIND = /^(?:,\s\d{1,2}\.?)*,?\s(?:and|or|und|oder)\s\d{1,2}\.?\s\p{L}+(?:\s\d{4})?/u
const NONE = /(?<!\p{L})(?:no|none|nothing|not a single|nobody|no one|niemand|kein\p{L}*|nichts)(?!\p{L})/iu
/** Matches words that give a negation another meaning, so that nothing is reported missing: "no busier than", "no doubt", "the peak has no equal". */
const COMPARES =
  /(?<!\p{L})(?:than|als|wie|like|(?:no|keine?n?)\s(?:doubt|equals?|rivals?|match|more|less|fewer|zweifel)|peak\p{L}*|best|beats?|höhepunkt|höchst\p{L}*|andere[nrsm]?)(?!\p{L})/iu
const PER_BEFORE = /(?<!\p{L})(?:after|by|nach(?:\sdem)?)\s$/iu
/**
 * Matches the end of the clause in front of a time. `CLAUSE_BEHIND` matches the clause behind the time. Marks inside a number or
 * inside a list of times end no clause.
 */
const CLAUSE_END = /;|\.(?!\d)|[:,](?!\s?(?:(?:ab|um|at|from|von)\s)?(?:\d|$))/iu
const CLAUSE_BEHIND = /^(?:(?!\s(?:and|but|und|aber)\s(?!\d|midnight|mitternacht))[^,;:.]|[.:](?=\d)|,(?=\s?\d))*/iu

/** Whether the sentence reports a time as missing: "no run started on 6 or 7 November". */
export function isTimeSaidMissing({ date }: Figure, before: string, all: string): boolean {
  const behind = all.replace(DAYS_BEHIND, '')
  if (NONE_BEHIND.test(behind)) return !COMPARES.test(CLAUSE_BEHIND.exec(behind)?.[0] ?? '')
  if (NONE_BEFORE.test(before) && !PERIOD_START.test(before) && !PERIOD_END.test(before) && !PER_BEFORE.test(before)) return true
  if (date?.clock !== undefined) return isDeniedAround(before, behind)
  return /^(?:(?!\s(?:und|aber)\s)[^,;:.\d]){0,60}(?<!\p{L})kein\p{L}*(?!\p{L})/iu.test(behind) && !COMPARES.test(behind)
}

function isDeniedAround(before: string, behind: string): boolean {
  const clause = `${before.split(CLAUSE_END).at(-1) ?? ''} ${CLAUSE_BEHIND.exec(behind)?.[0] ?? ''}`
  return NONE.test(clause) && !COMPARES.test(clause) && clause.search(AT_AN_END) < 0
}
