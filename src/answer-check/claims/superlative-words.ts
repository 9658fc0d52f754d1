/** Words beside a superlative that say of which rows or amounts it is. */
export const BESIDE = {
  /** They restrict it to fewer rows, anywhere in its sentence: "the largest except Oslo". */
  restricted:
    /(?<!\p{L})(?:(?:of|among) (?:them|these|those)|davon|darunter|apart from|except|besides|excluding|leaving|außer|abgesehen)(?!\p{L})/iu,
  /** They restrict it, if they stand between it and its figure: "the largest of the rest, 12". */
  ofSome:
    /(?<!\p{L})(?:of the (?:rest|others?|remaining|(?:two|three|four))|others?|else|without|ohne|full|complete|one of|among)(?!\p{L})/iu,
  /** They mean the things in the sentence: "the largest of them". */
  ofThem: /(?<!\p{L})(?:of (?:them|these|those|the (?:two|three|four))|davon|darunter)(?!\p{L})/iu,
  /** Behind it, they restrict its rows: "the oldest with a lift". */
  ofKind: /^\s(?:\p{L}+\s)?(?:with|without|in|of|for|mit|ohne|im|der|für)(?!\p{L})/iu,
  /** Before it, they make it no claim about its figure: "among the three largest", "above the lowest". */
  notOwn:
    /(?<!\p{L})(?:(?:among|one of|unter)\s(?:the\s|den\s)?(?:\p{L}+\s)?|(?:of the|of these|of those|der|von den)\s(?:\p{L}+|\d+)\s|(?:times|twice|double|triple|half|above|below|than|behind|ahead of|over|under|after|als|über|unter|vor|hinter)\s(?:the|its|der|die|das|dem|den)\s)$/iu,
  /** Behind it, they compare two rows: "the largest step". No column holds such values. */
  ofStep:
    /^\s(?:\p{L}+\s)?(?:steps?|jumps?|swings?|moves?|shifts?|gaps?|unterschied\p{L}*|differences?|verschiebung|schritte?s?|sprünge?|sprung|abstand)(?!\p{L})/iu,
  /** Before it, they begin a span: "between the highest and the lowest price". */
  ofSpan: /(?<!\p{L})(?:between|zwischen)\s(?:\p{L}+\s){0,4}$/iu,
  /** Before its figure, they begin a range: "The ten longest range from 63 min to …". */
  inRange:
    /(?<!\p{L})(?:rang|var|spread|span|reach|l[iay]|lieg|lag|reich)\p{L}*\s(?:\p{L}+\s){0,2}(?:from|between|von|zwischen)\s[$€]?$/iu,
  /** They mean another measure or fewer rows, so that only the value at the other end is refused. */
  open: /(?<!\p{L})(?:per|pro|je|next|of (?:the|all) \p{Ll}{4,20} \p{Ll}{3,20}s|(?:of (?:the|these|those|all) (?:other )?|(?:von|der|unter den) )(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)|outside|otherwise|(?:whole|full|complete)\s(?:hour|day|week|month|year)s?|relative to|unter den|running|active|aktive\p{L}*|außerhalb|sonst)(?!\p{L})/iu,
  /** The same, if they stand near it: "the highest of the group", "by margin". */
  ofOther:
    /(?<!\p{L})(?:margins?|spreads?|drops?|loss|losses|falls?|rises?|gains?|shortfall|differences?|gaps?|groups?|tenth|half|before|until then|so far|with (?:more|less|at least|fewer)|by (?!far)\p{L}+)(?!\p{L})/iu,
  /** The same, unless its column is a rate: "the highest share". */
  ofRate: /(?<!\p{L})(?:share|rate|ratio|relative|anteil\p{L}*|quote)(?!\p{L})/iu,
  /** They make several rows the highest at once: "A and B had the most". */
  several:
    /(?<!\p{L})(?:are|were|have|had|both|two|three|four|five|sind|waren|haben|hatten|beide[nr]?|zwei|drei|vier|fünf)(?!\p{L})/iu,
  /** They turn the order of amounts: "lost the most". */
  loss: /(?<!\p{L})(?:los[etsing]*|verl[ioe]r\p{L}*|verlust\p{L}*|minus|fewer|weniger|drops?|falls?|fell|declines?|rückg\p{L}+|sank\p{L}*)(?!\p{L})/iu,
  /** Before it, they refer it to the clause before: "40, the highest". */
  apposed:
    /^\W*(?:(?:the latter|this|it|which)\s(?:being|is|was)\s)?(?:the|its|their|das|der|die|den|dem|by far|also)\s(?:\p{L}+[- ]){0,2}$|^\W*$/iu,
  /** Before an amount, they make it an end of a change: "from 7.3 to 7". */
  endOfChange: /(?<!\p{L})(?:from|to|von|auf|→)\s[$€]?$/u,
} as const
