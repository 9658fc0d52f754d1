import type { Figure } from './figures/figure.ts'
import { AT_AN_END, PERIOD_END, PERIOD_START } from './figures/wording.ts'

/** Matches the other days of a list, behind its first day: all behind the "11." of "11., 18. und 25. Oktober 2026". */
const DAYS_BEHIND = /^(?:,\s\d{1,2}\.?)*,?\s(?:and|or|und|oder)\s\d{1,2}\.?\s\p{L}+(?:\s\d{4})?/u
const NONE =
  /(?<!\p{L})(?:no|none|nothing|not|never|neither|nobody|no one|missing|absent|gap|niemand|kein\p{L}*|nichts|fehl\p{L}*|aucune?|ningun[oa]?|ningún|nessun[oa]?|nenhuma?|geen|ingen|brak)(?!\p{L})/iu
/** Matches words that give a negation another meaning, so that nothing is reported missing: "no busier than", "no doubt", "the peak has no equal". */
const COMPARES =
  /(?<!\p{L})(?:than|als|wie|like|(?:no|keine?n?)\s(?:doubt|equals?|rivals?|match|more|less|fewer|zweifel)|peak\p{L}*|best|beats?|höhepunkt|höchst\p{L}*|andere[nrsm]?)(?!\p{L})/iu
/**
 * Matches the end of the clause in front of a time. `CLAUSE_BEHIND` matches the clause behind the time. Marks inside a number or
 * inside a list of times end no clause.
 */
const CLAUSE_END = /;|\.(?!\d)|[:,](?!\s?(?:(?:ab|um|at|from|von)\s)?(?:\d|$))/iu
const CLAUSE_BEHIND =
  /^(?:(?!\s(?:and|but|because|that|und|aber|weil|dass)\s(?!\d|midnight|mitternacht))[^,;:.]|[.:](?=\d)|,(?=\s?\d))*/iu

/** Whether the clause of a time reports it as missing: "no run started on 6 or 7 November". */
export function isTimeSaidMissing({ date }: Figure, before: string, all: string): boolean {
  if (date?.clock === undefined && (PERIOD_START.test(before) || PERIOD_END.test(before))) return false
  const behind = all.replace(DAYS_BEHIND, '')
  const clause = `${before.split(CLAUSE_END).at(-1) ?? ''} ${CLAUSE_BEHIND.exec(behind.replace(/^,/, ''))?.[0] ?? ''}`
  return NONE.test(clause) && !COMPARES.test(clause) && clause.search(AT_AN_END) < 0
}
