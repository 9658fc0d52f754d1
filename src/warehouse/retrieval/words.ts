/** Very common words, such as "the", in the languages that questions are usually written in. The search ignores them. */
const COMMON = new Set(
  `a about above after all also an and any are as at be been before below between but by can could did do does during each ever every few first for from get give had has have
  having he her his how i if in into is it its just last least less let like list many may me more most much my never new next no not now of off often on one only or other our out
  over own past people per please right same see she should show since so some still such take tell than that the their them then there these they this those through to today
  too top total under until up us versus very vs was we were what when where which while who whom whose why will with within without would      
  change compared compare highest lowest
  largest smallest best worst
  aber alle als am an auch auf aus bei bin bis das dass dem den der des die dies diese dieser dieses doch durch ein eine einem einen einer eines er es fuer gab gegen haben hat hatte
  hoch ich im in ist je jede jeder jedes kann kein keine letzte letzten letzter letztes man mehr meine mit nach nicht noch nur ob oder ohne pro schon sehr sein seit sich sie sind so
  ueber um und uns unser unsere unter viel viele vom von vor war waren warum was welche welcher welches wenn wer wie wieviel wir wird wo wurde wurden zu zum zur zwischen  
  durchschnittlich
  au aux avec avons ce ces cette chaque combien comment dans de depuis des du elle en est et il ils je la le les leur leurs nos notre nous ont ou par pas plus pour pourquoi
  quand que quel quelle quelles quels qui quoi sa ses son sont sur un une unes y dernier derniere `
    .split(/\s+/)
    .filter(word => word !== ''),
)

/**
 * Words that say how to count or group rows, such as "monthly" or "average". They say little about a question's subject, so they
 * get a low weight.
 */
const WEAK = new Set(
  `year years month months week weeks day days yesterday hour quarter monthly weekly daily yearly number average avg mean median share percentage percent rate trend time long jahr jahre monat monate woche wochen tag tage gestern heute anteil durchschnitt mois semaine jour jours annee nombre moyen moyenne taux`.split(
    /\s+/,
  ),
)

/**
 * Splits text into lower-case words without accents (ä becomes ae). Splits also where the case changes, and between letters and
 * digits: `dzLinks2_v3` becomes [dz, links, 2, v3].
 */
export function splitWords(text: string): readonly string[] {
  return plain(text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).match(/v\d+|\p{L}+|\p{N}+/gu) ?? []
}

export function isCommon(word: string): boolean {
  return COMMON.has(word)
}

export function isWeak(word: string): boolean {
  return WEAK.has(word)
}

function plain(text: string): string {
  const lower = text.toLowerCase()
  // Most names are plain ASCII. They have no accents to remove, so the slow steps below are skipped.
  if (/^[\0-\x7f]*$/.test(lower)) return lower
  return lower
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
}

/**
 * Returns a rough stem of an English, German or French word. All forms of a word should give the same stem; the stem need not be
 * a real word.
 */
export function stem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word
  let rest = word
  if (rest.length > 4 && rest.endsWith('ies')) rest = `${rest.slice(0, -3)}y`
  else if (/(x|ch|sh|ss)es$/.test(rest)) rest = rest.slice(0, -2)
  else if (/[^su]s$/.test(rest) && !rest.endsWith('is')) rest = rest.slice(0, -1)
  for (const ending of ENDINGS) {
    if (!rest.endsWith(ending) || rest.length - ending.length < 4) continue
    rest = rest.slice(0, -ending.length)
    break
  }
  // An ending may leave a doubled letter: stopped → stopp → stop. A double l or s stays, because it usually belongs to the word
  // itself.
  if (/([bdgmnprt])\1$/.test(rest) && rest.length > 4) rest = rest.slice(0, -1)
  return rest.length > 4 && rest.endsWith('y') ? `${rest.slice(0, -1)}i` : rest
}

/** Splits a text or a name into the stems of its words. */
export function stemsOf(text = ''): readonly string[] {
  return splitWords(text).map(stem)
}

/** The longest endings come first, because only the first ending that matches is removed. */
const ENDINGS = ['ations', 'ation', 'ungen', 'ings', 'ung', 'ing', 'ion', 'ers', 'ern', 'ed', 'er', 'en', 'es', 'e', 'n']
