const RISES =
  'rose|rise[sn]?|rising|grew|grow[sn]?|growth|growing|increase[ds]?|increasing|climb\\p{L}*|jump\\p{L}*|surge\\p{L}*|soar\\p{L}*|stieg\\p{L}*|steigt|gestiegen|anstieg|wuchs\\p{L}*|gewachsen|zuwachs|zunahme|zugenommen|erhöht\\p{L}*'
const FALLS =
  'fell|falls?|fallen|falling|drops?|dropped|dropping|decline[ds]?|declining|decrease[ds]?|decreasing|shrank|shrunk|shrinks?|slipped|slid|sank|dip|dipped|plunge\\p{L}*|collapse\\p{L}*|reduced|lowered|sank\\p{L}*|sinkt|gesunken|fiel\\p{L}*|fällt|gefallen|rückgang|abnahme|abgenommen|verringert\\p{L}*|gesenkt'

/** Words that tell what a sentence says of the rows. */
export const SAYS = {
  each: words('each|apiece|chacune?|cada (?:uno|una)', 'je|jeweils'),
  per: words(
    'per|average (?!of)\\p{L}+|a day|a week|a month|an hour|costs?|rate|ratio|divided by',
    'geteilt durch|pro|je(?=\\s\\p{Lu})|auf (?:einen?|jede[nsr]?)',
  ),
  up: words('up|gain(?:s|ed)?', `plus|${RISES}`),
  down: words('down', `minus|${FALLS}`),
  condition: words(
    'last|past|previous|top|first|above|over|below|under|more than|less than|fewer than|at least|at most|greater than|exceed\\p{L}*|within|limit|limited|cut at|older than|up to|between|threshold|than',
    'dernier\\p{L}*|dernière\\p{L}*|últim\\p{L}*|plus de|moins de|más de|menos de|au moins|entre|letzten?|letzte[nrsm]?|vergangene[nrsm]?|vorige[nrsm]?|top|erste[nrsm]?|über|unter|mehr als|weniger als|mindestens|höchstens|zwischen|innerhalb',
  ),
  definition: words(
    'would|could|goes by|ranked by|sorted by|ordered by|utc|time zone|timezone|means|meaning|counted|counts as|assum\\p{L}*|defin\\p{L}*|taken (?:as|to)|refers?|period|calendar|excludes?|includes?|excluding|including',
    'würde\\p{L}*|könnte\\p{L}*|sortiert nach|geordnet nach|gereiht nach|zeitzone|bedeutet|heißt|gezählt|angenommen|annahme|gemeint|zeitraum|definition|ausgenommen|gilt|gelten',
  ),
  /** Words that say which days are meant, such as "last week". */
  period: words(
    'compar(?:ed|es|ison)|covers?|spans?|(?:run|runs|running|reach|reaches) (?:from|to|until)|so far|hours?|seasons?|weeks?|months?|quarters?|years?|periods?|days?|today|yesterday|weekend|fortnight|time ?frame|range|semaines?|mois|trimestres?|années?|ans?|périodes?|jours?|hier|semanas?|mes(?:es)?|años?|per[ií]odos?|d[ií]as?|hoy|ayer|settiman[ae]|mes[ei]|ann[oi]|giorn[oi]|oggi|ieri|mês|anos?|dias?|hoje|ontem|maand(?:en)?|jaar|jaren|dag(?:en|ar)?|vandaag|gisteren|veck(?:a|an|or)|uger?|uken?|måned(?:er)?|månad(?:er)?|år|året|i dag|i går|tydzień|tygodni\\p{L}*|miesiąc\\p{L}*|rok|roku|dni|dzień',
    'verglichen|vergleich\\p{L}*|bisher|reich(?:t|en) (?:von|bis)|\\p{L}*(?:stunde|saison|woche|monat|quartal|jahr|zeitraum|tag)(?:e?[nsr]?|es)|heute|gestern|wochenende',
  ),
  /** `whole` are words for everything there is, `part` are words for some of it. */
  whole: words(
    'in all(?!\\s(?:others?|the|these|of|\\p{L}+s)(?!\\p{L}))|in total|altogether|overall|a total of|of all|of the total|there (?:is|are|was|were)',
    'insgesamt|gesamt\\p{L}*|aller|es gibt|es gab|es sind|es waren',
  ),
  part: words(
    'top|first|last|next|leading|these|those|listed|shown|displayed|among|of them|between them|following|below|above|rows?|list|limit\\p{L}*|cut|(?!latest|earliest|newest|oldest)\\p{Ll}{3,}est|most|least|together|combined',
    'ersten?|letzten?|diese[nrs]?|gezeigte?[nrs]?|folgende[nrs]?|unter den|davon|zeilen?|liste|(?!früh|ält|neu|jüng)\\p{L}+sten?|meisten?|zusammen',
  ),
  none: words('no|none|nothing|not|neither|without', 'kein\\p{L}*|nichts|nicht|ohne|weder'),
} as const

/** Matches a superlative. "Fastest" means the least time or the highest speed, so the column decides between the lowest and the highest value. */
export const AT_AN_END =
  /(?<![\p{L}\p{N}_])(?:(?<high>(?:more|higher|larger|greater)(?:\s\p{L}+){0,2}?\sthan\s(?:\p{L}+\s)?any(?:one)?(?:\sother)?|(?:mehr|höher|größer)\sals\s(?:\p{L}+\s)?(?:jede[rnsm]?|alle)\sandere[rnm]?|highest|(?<!at )most|largest|biggest|maximum|greatest|leads|leading|peaked|busiest|heaviest|strongest|dearest|priciest|höchste[nrsm]?|meisten?|größte[nrsm]?|führt|spitzenreiter|stärkste[nrsm]?|teuerste[nrsm]?|schwerste[nrsm]?)|(?<low>(?:less|fewer|lower|smaller)(?:\s\p{L}+){0,2}?\sthan\s(?:\p{L}+\s)?any(?:one)?(?:\sother)?|(?:weniger|niedriger|kleiner)\sals\s(?:\p{L}+\s)?(?:jede[rnsm]?|alle)\sandere[rnm]?|lowest|fewest|(?<!at )least|smallest|minimum|weakest|cheapest|lightest|quietest|niedrigste[nrsm]?|wenigste[nrsm]?|kleinste[nrsm]?|geringste[nrsm]?|schwächste[nrsm]?|billigste[nrsm]?|günstigste[nrsm]?)|(?<long>longest|slowest|längste[nrsm]?|langsamste[nrsm]?)|(?<short>shortest|fastest|quickest|kürzeste[nrsm]?|schnellste[nrsm]?)|(?<late>latest|newest|most recent|neueste[nrs]?|jüngste[nrs]?|späteste[nrs]?)|(?<early>earliest|oldest|früheste[nrs]?|älteste[nrs]?))(?![\p{L}\p{N}_])/giu

/** Words that say that one amount is above or below another. */
export const ABOVE_OR_BELOW =
  /(?<![\p{L}\p{N}_])(?:(?<above>(?:more|higher|larger|greater|bigger|longer)(?:\s(?!than)\p{L}+){0,3}?\sthan|above|over|ahead of|exceed(?:s|ed|ing)?|(?:mehr|höher|größer|länger)(?:\s(?!als)\p{L}+){0,3}?\sals|über)|(?<below>(?:less|fewer|lower|smaller|shorter)(?:\s(?!than)\p{L}+){0,3}?\sthan|below|under|behind|short of|(?:weniger|niedriger|geringer|kleiner|kürzer)(?:\s(?!als)\p{L}+){0,3}?\sals|unter))(?![\p{L}\p{N}_])/giu
/** Words that say that something rises or falls. */
export const CHANGES = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:(?<up>went up|up(?=\\s(?:from|by|to|\\d))|${RISES})|(?<down>went down|down(?=\\s(?:from|by|to|\\d))|${FALLS}))(?![\\p{L}\\p{N}_])`,
  'giu',
)

export const BEFORE = {
  about: ending(
    'near|close to|circa|quasi|cerca di|ongeveer|omkring|około|casi un[oa]s?|un[oa]s|alrededor de|cerca de|environ|autour de|à peu près|about|around|roughly|approximately|approx\\.?|some|nearly a|circa|ca\\.?|~|≈|rund|etwa|ungefähr|knapp ein|zirka|on the order of',
  ),
  over: ending(
    'más de|plus de|no less than|no fewer than|nicht weniger als|over|more than|above|just over|slightly (?:over|more than|above)|a (?:little|bit|shade|touch) (?:over|more than|above)|well over|più di|mais de|meer dan|mer enn|mere end|mer än|ponad|at least|upwards of|exceeding|>|≥|über|mehr als|gut|mindestens|etwas über',
  ),
  under: ending(
    'casi|menos de|moins de|presque|près de|under|less than|not quite|within|short of|shy of|slightly (?:under|less than|below)|a (?:little|bit|shade|touch) (?:under|less than|below)|just short of|nicht ganz|quasi|meno di|menos que|quase|bijna|næsten|nesten|nästan|prawie|below|just under|nearly|almost|close to|fewer than|<|≤|knapp|fast|unter|weniger als|beinahe|nahezu|höchstens',
  ),
} as const

/** Matches the words in front of a difference's base, such as "4 more than the" in "4 more than the 372". Here, "more than" is no bound. */
export const COMPARED_WITH =
  /\d\s(?:(?!and|und|but|aber)\p{L}+\s)?(?:(?:more|less|fewer)\sthan\s(?:the\s)?|(?:mehr|weniger)\sals\s(?:die\s)?)$/iu
/** Matches the claim that a name has none of something, such as "has no" behind the name. */
export const HAS_NONE =
  /^[\s`*]*(?:has|have|had|hat|haben|with|shows?)\s(?:none|no\s(?!name)|nothing|kein(?!en\sNamen))|^[\s`*]*(?:none|kein)/iu
export const NAMELESS =
  /(?<!\p{L})(?:no|none|not|unnamed|unknown|null|n\/a|without|ohne|kein\p{L}*|unbekannt|sans|sin|senza|inconnu\p{L}*|desconocid\p{L}*|total|sum|gesamt|summe|all|other|others|rest)(?!\p{L})|^[\s–—-]*$/iu

/**
 * Matches the words before the start of a period, such as "since". The next patterns match the words before its end, and the
 * words between its two ends.
 */
export const PERIOD_START = /(?<!\p{L})(?:since|from|after|starting(?:\son)?|seit(?:\sdem)?|ab(?:\sdem)?|nach(?:\sdem)?)\s$/iu
export const PERIOD_END =
  /(?<!\p{L})(?:until|till|up to|before|by|through|bis(?:\szum|\sden)?|vor(?:\sdem)?)\s(?:(?:the|roughly|about|around|etwa|rund)\s)?$/iu
export const PERIOD_JOINT =
  /^(?:\s(?:UTC|Uhr))?\s?(?:to|until|till|through|and|bis(?:\szum|\sden)?|und|–|—|-|à|au|a)\s?(?:(?:the|roughly|about|around|etwa|rund|gegen)\s)?$/iu
export const PERIOD_BETWEEN =
  /^(?:\s(?:UTC|Uhr))?\s?(?:to|until|till|through|bis(?:\szum|\sden)?|–|—|-)\s?(?:(?:the|roughly|about|around|etwa|rund|gegen)\s)?$/iu
/** Matches the words behind a limit: "5 % or less", "from 20 ratings on". */
export const LIMIT_BEHIND =
  /^\s?(?:or|and|oder|und)\s(?:less|fewer|lower|below|under|more|higher|above|over|longer|shorter|better|worse|older|younger|earlier|later|weniger|mehr|darunter|darüber|besser|schlechter|älter|jünger|früher|später)(?!\p{L})|^(?:\s\p{L}+){0,2}\s(?:on|onwards?|upwards)(?=\W*$|[,.;)])/iu
/** Words for all rows except those that the sentence names: "the rest", "elsewhere". */
export const REST = words('others?|rest|remaining|else|elsewhere', 'andere[nrsm]?|übrige[nrsm]?|restliche[nrsm]?|sonst|rest')

/** Ordinary words. If a row's value is such a word ("on", "all"), the word is not read as a name in a sentence. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a all an and are as at back be been both but by can did do for from had has have he how if in into is it its last more most my new no none not now of off on one only or other our out over
  so some than that the their them then there these they this those to total two up us was we were what when which who why with yes you
  ab aber alle als am an auch auf aus bei bis da das dem den der des die ein eine einem einen einer er es für hat ihr im in ist ja je kein keine mit nach nein nicht noch nur oder ob sie sind so
  de la le les des du et en un une dans sur pour par avec est sont el los las y con por para una del al il lo gli di da e o os do em na que se su sus plus más
  über um und unter vom von vor war was wie wir zu zum zur other unknown true false none null`.split(/\s+/),
)

function words(english: string, german: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${english}|${german})(?![\\p{L}\\p{N}_])`, 'iu')
}

function ending(alternatives: string): RegExp {
  return new RegExp(
    `(?:^|[\\s(\\[:,])(?:${alternatives})\\s*(?:(?:an?|the|die|der|das|den|dem|eine?[nrm]?|el|la|le|un[ae]?|EUR|USD|Euro)\\s+)?(?:[$€£]\\s*)?$`,
    'iu',
  )
}

/** Matches nouns such as "things" in "two things stand out". They count nothing in the rows, so their number is not checked. */
export const COUNTED_LOOSELY =
  /^\s*(?:(?:\p{L}+\s)?(?:things?|points?|reasons?|ways?|parts?|steps?|groups?|sides?|observations?|notes?|cases?|factors?|measures|metrics|aspects?|caveats?|decimals?|decimal places|\p{L}+ (?:in a row|running)|hours?|an hour|way)|(?:dinge|punkte|gründe|teile|schritte|gruppen|seiten|faktoren|hinweise|aspekte|dezimalen|nachkommastellen|dezimalstellen))(?!\p{L})/iu

/** Matches a negation. A negated claim is not checked. */
export const NOT = /(?<!\p{L})(?:not?|never|neither|nor|nicht|kein\p{L}*|nie|weder)(?![\p{L}-])/iu

/** Whether the last clause is negated: true for "did not fall", false for "no outage, and it fell" and for "not only fell". */
export function isDenied(words: string): boolean {
  const last = words.replace(/(?<!\p{L})(?:not only|nicht nur)(?!\p{L})/giu, '').split(/[,;:]|\s(?:and|but|und|aber|sondern)\s/iu)
  return NOT.test(last.at(-1) ?? '')
}

/** Returns 1 if a text says that something rose, -1 if it says that it fell, else 0. */
export function saidDirection(text: string): 1 | -1 | 0 {
  // "By up to 3 minutes" states a bound, not a rise.
  const up = SAYS.up.test(text.replace(/(?<!\p{L})up to(?!\p{L})/giu, ''))
  const down = SAYS.down.test(text)
  return up === down ? 0 : up ? 1 : -1
}
