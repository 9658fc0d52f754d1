import { inLanguages, numberText } from './language.ts'

/** Sentences about reports and alerts that come by themselves. */
const ENGLISH = {
  everyMinutes: (minutes: number) =>
    minutes % 60 > 0 ? `every ${minutes} minutes` : minutes === 60 ? 'every hour' : `every ${minutes / 60} hours`,
  everyDays: (every: number) => (every === 1 ? 'every day' : `every ${every} days`),
  everyWeeks: (every: number) => (every === 1 ? 'every week' : `every ${every} weeks`),
  on: (weekdays: readonly string[]) => `on ${weekdays.join(', ')}`,
  onDays: (days: readonly string[], months: readonly string[]) =>
    `on ${days.join(' and ')} of ${months.length === 0 ? 'each month' : months.join(', ')}`,
  dayNumber: (day: number) => `day ${day}`,
  lastDay: 'the last day',
  nthWeekday: (nth: number | 'last', weekday: string) =>
    `the ${nth === 'last' ? 'last' : (['first', 'second', 'third', 'fourth', 'fifth'][nth - 1] ?? `${nth}th`)} ${weekday}`,
  workday: 'workday',
  at: (times: readonly string[]) => `at ${times.join(', ')}`,
  between: (from: string, to: string) => `from ${from} to ${to}`,
  forMinutes: (minutes: number) => (minutes === 0 ? '' : ` for ${minutes} minutes`),
  threshold: (operator: 'above' | 'at_least' | 'below' | 'at_most' | 'equals', value: string) =>
    `the figure is ${{ above: 'above', at_least: 'at least', below: 'below', at_most: 'at most', equals: 'equal to' }[operator]} ${value}`,
  change: (by: string | null, direction: 'up' | 'down' | null) =>
    by === null && direction === null
      ? 'anything has changed since the last run'
      : `the figure has ${{ up: 'risen', down: 'fallen', any: 'moved' }[direction ?? 'any']}${by === null ? '' : ` by ${by} or more`}`,
  rows: 'there is anything to list',
  appears: 'something is new since the last run',
  disappears: 'something is gone that was there',
  list: 'something has joined the list or left it since the last run',
  until: (when: string, day: string) => `${when} until ${day}`,
  once: 'It ends when it has been told once.',
  report: 'Report',
  alert: 'Alert',
  asked: (question: string) => `**Question:** ${question}`,
  when: (kind: string, schedule: string) => `**${kind}** ${schedule}`,
  next: (times: readonly string[]) => `**Next times:** ${times.join('; ')}`,
  jitter: (seconds: number) => `It starts ${seconds} s after each, so that not everything starts at once.`,
  told: (condition: string | null) => (condition === null ? '**Told** each time.' : `**Told only if** ${condition}.`),
  newData: '**Only if** there is new data since the last run.',
  here: (elsewhere: string | null, isRevised: boolean) =>
    `**Where:** ${isRevised ? 'where it has come so far' : 'in this thread'}, with your rights at that time.${elsewhere === null ? '' : ` I can only tell, and only there: not “${elsewhere}”.`}`,
  cost: (run: string, runs: number, month: string) =>
    `**Cost:** about ${run} a run, ${runs === 1 ? 'one run' : `${runs} runs`} in 30 days: ${month}.`,
  tokens: (count: number) => `${numberText(count, 'en')} tokens`,
  dollars: (amount: number) => `$${amount.toFixed(amount < 1 ? 4 : 2)}`,
  noTokens: 'no tokens',
  confirm: 'Nothing is set up yet. Shall I set it up?',
  confirmChange: (id: string) => `Nothing is changed yet. Shall this take the place of \`${id}\`?`,
  setUp: 'Set it up',
  leave: 'Leave it',
  isSetUp: (id: string, next: string) => `It is set up as \`${id}\`. The next time is ${next}.`,
  isLeft: 'Nothing was set up.',
  onlyInChats:
    'Nothing can come by itself here. Reports and alerts are set up in Slack or Discord, openly in a channel or in a direct conversation, and come there. Whoever runs Clew connects these (docs/slack.md, docs/discord.md).',
  neverDue: 'This schedule has no time at all. Please name another.',
  tooMany: (most: number) => `You have ${most} subscriptions already, which is the most. Delete one first.`,
  severalSources: 'This question reads several data sources together. What comes by itself can read only one.',
  doesNotMove: (dates: string) =>
    `I could not make the period move: the query has fixed dates (${dates}). Say the period from now, such as “yesterday” or “the last 7 days”.`,
  readsClock: (clocks: string) =>
    `I could not make the period move: the query reads the clock by ${clocks}. Add to your question: “count from now() or current_date”.`,
  noFigure: 'The result has no single figure that this condition could be about. Say which figure is to be watched.',
  tooManyRows: (most: number) =>
    `The result is too long to be watched: ${numberText(most, 'en')} rows at most where runs are compared. Ask for fewer things.`,
  noGate: 'Whether there is new data cannot be told here: this needs tables of ClickHouse with a column of time in their keys.',
  noAnswer: 'What cannot be answered now cannot come by itself.',
  changedSince: (question: string) => `First: what has changed since the last run? Then: ${question}`,
  difference: 'What has changed since the run before',
  late: (due: string) => `This run is late: it was due at ${due}.`,
  missed: (count: number) =>
    count === 1 ? 'One run before it was missed.' : `${numberText(count, 'en')} runs before it were missed.`,
  lastRun: (when: string) => `The last run before it was at ${when}.`,
  gateFailed: (why: string) => `Whether there is new data could not be checked (${why}).`,
  conditionFailed: 'Whether the condition holds could not be checked, so this is told anyway.',
  opened: (question: string, condition: string) => `🔔 **${question}**\n\nThe alert is open: ${condition}.`,
  more: (keys: string) => `🔔 Now also: ${keys}.`,
  stillOpen: (since: string) => `🔔 Still open, since ${since}.`,
  leftOpen: '🔔 This was its last time, and it is still open.',
  resolved: (question: string) => `✅ **${question}**\n\nResolved: the condition holds no longer.`,
  failing: (why: string, isLast: boolean) =>
    `This could not be checked: ${why} ${isLast ? 'This was its last time.' : 'It is tried again at the next time.'}`,
  worksAgain: 'This could be checked again.',
  stopped: (question: string, why: string, near: string) =>
    `**${question}** has stopped, because its query no longer works: ${why}${near === '' ? '' : ` Near names: ${near}.`}\n\nShall it be set up anew? Ask for it in your own words.`,
  ownerLeft: (question: string) =>
    `**${question}** is paused: whoever set it up is no longer here or has no rights to its data, or the data source has another name now. Somebody else can set it up anew.`,
  acknowledge: 'Acknowledge',
  snooze: 'Snooze for a day',
  why: 'Why?',
  acknowledged: 'Acknowledged: it stays quiet until more joins or it is resolved.',
  snoozed: 'Snoozed: it stays quiet for a day.',
  notOpen: 'This alert is not open any more.',
  repeat: 'Repeat this…',
  repeatWhen: 'When?',
  repeatHint: 'Such as “every weekday at 8:30”, or “when a value passes 2 %”',
  none: 'You have no subscriptions. Ask for one: “every Monday at 9: …”, or “tell us when …”.',
  usage:
    'Write `/subscriptions` to list yours, and `/subscriptions pause`, `resume`, `run` or `delete` with the id of one of yours. `edit` takes an id and your words for the change.',
  status: { paused: 'paused', stopped: 'stopped', ended: 'ended' },
  steered: (id: string, steering: 'pause' | 'resume' | 'run' | 'delete') =>
    `\`${id}\` ${{ pause: 'is paused', resume: 'is active again', run: 'runs now', delete: 'is deleted' }[steering]}.`,
  whyQuestion: (alert: string) => `Why did this alert fire?\n\n${alert}`,
}

const GERMAN = {
  everyMinutes: minutes =>
    minutes % 60 > 0 ? `alle ${minutes} Minuten` : minutes === 60 ? 'jede Stunde' : `alle ${minutes / 60} Stunden`,
  everyDays: every => (every === 1 ? 'jeden Tag' : `alle ${every} Tage`),
  everyWeeks: every => (every === 1 ? 'jede Woche' : `alle ${every} Wochen`),
  on: weekdays => `am ${weekdays.join(', ')}`,
  onDays: (days, months) => `${days.join(' und ')} ${months.length === 0 ? 'jedes Monats' : `im ${months.join(', ')}`}`,
  dayNumber: day => `am ${day}.`,
  lastDay: 'am letzten Tag',
  nthWeekday: (nth, weekday) => `am ${nth === 'last' ? 'letzten' : `${nth}.`} ${weekday}`,
  workday: 'Werktag',
  at: times => `um ${times.join(', ')}`,
  between: (from, to) => `von ${from} bis ${to}`,
  forMinutes: minutes => (minutes === 0 ? '' : `, ${minutes} Minuten lang`),
  threshold: (operator, value) =>
    `der Wert ${{ above: 'über', at_least: 'mindestens', below: 'unter', at_most: 'höchstens', equals: 'gleich' }[operator]} ${value} liegt`,
  change: (by, direction) =>
    by === null && direction === null
      ? 'sich seit dem letzten Lauf etwas geändert hat'
      : `der Wert${by === null ? '' : ` um ${by} oder mehr`} ${{ up: 'gestiegen ist', down: 'gefallen ist', any: 'sich geändert hat' }[direction ?? 'any']}`,
  rows: 'es etwas zu melden gibt',
  appears: 'seit dem letzten Lauf etwas neu ist',
  disappears: 'etwas fehlt, was da war',
  list: 'seit dem letzten Lauf etwas dazukam oder wegfiel',
  until: (when, day) => `${when} bis ${day}`,
  once: 'Ist es einmal gemeldet, endet es.',
  report: 'Bericht',
  alert: 'Alarm',
  asked: question => `**Frage:** ${question}`,
  when: (kind, schedule) => `**${kind}** ${schedule}`,
  next: times => `**Nächste Termine:** ${times.join('; ')}`,
  jitter: seconds => `Er beginnt jeweils ${seconds} s danach, damit nicht alles zugleich beginnt.`,
  told: condition => (condition === null ? '**Gemeldet** jedes Mal.' : `**Gemeldet nur, wenn** ${condition}.`),
  newData: '**Nur, wenn** es seit dem letzten Lauf neue Daten gibt.',
  here: (elsewhere, isRevised) =>
    `**Wo:** ${isRevised ? 'wo es bisher kam' : 'in diesem Thread'}, mit den eigenen Rechten zu der Zeit.${elsewhere === null ? '' : ` Ich kann nur melden, und nur dort: nicht „${elsewhere}“.`}`,
  cost: (run, runs, month) =>
    `**Kosten:** etwa ${run} je Lauf, ${runs === 1 ? 'ein Lauf' : `${runs} Läufe`} in 30 Tagen: ${month}.`,
  tokens: count => `${numberText(count, 'de')} Tokens`,
  dollars: amount => `${amount.toFixed(amount < 1 ? 4 : 2).replace('.', ',')} $`,
  noTokens: 'keine Tokens',
  confirm: 'Eingerichtet ist noch nichts. Soll ich es einrichten?',
  confirmChange: id => `Geändert ist noch nichts. Soll das an die Stelle von \`${id}\` treten?`,
  setUp: 'Einrichten',
  leave: 'Lassen',
  isSetUp: (id, next) => `Eingerichtet als \`${id}\`. Der nächste Termin ist ${next}.`,
  isLeft: 'Es wurde nichts eingerichtet.',
  onlyInChats:
    'Hier kann nichts von selbst kommen. Berichte und Alarme lassen sich in Slack oder Discord einrichten, offen in einem Kanal oder im direkten Gespräch, und kommen dort. Wer Clew betreibt, verbindet diese (docs/slack.md, docs/discord.md).',
  neverDue: 'Dieser Zeitplan hat keinen einzigen Termin. Bitte einen anderen nennen.',
  tooMany: most => `Es gibt schon ${most} eigene Abonnements; mehr geht nicht. Erst muss eines weg.`,
  severalSources: 'Diese Frage liest mehrere Datenquellen zusammen. Was von selbst kommt, kann nur eine lesen.',
  doesNotMove: dates =>
    `Der Zeitraum bewegt sich nicht mit: Die Abfrage hat feste Daten (${dates}). Bitte den Zeitraum von jetzt aus nennen, etwa „gestern“ oder „die letzten 7 Tage“.`,
  readsClock: clocks =>
    `Der Zeitraum bewegt sich nicht mit: Die Abfrage liest die Uhr mit ${clocks}. Bitte in die Frage schreiben: „ab now() oder current_date gezählt“.`,
  noFigure: 'Das Ergebnis hat keinen einzelnen Wert, den diese Bedingung meinen könnte. Welcher Wert soll beobachtet werden?',
  tooManyRows: most =>
    `Das Ergebnis ist zu lang, um es zu beobachten: höchstens ${numberText(most, 'de')} Zeilen, wo Läufe verglichen werden. Bitte nach weniger fragen.`,
  noGate:
    'Ob es neue Daten gibt, lässt sich hier nicht feststellen: Das braucht Tabellen in ClickHouse mit einer Zeitspalte in ihrem Schlüssel.',
  noAnswer: 'Was sich jetzt nicht beantworten lässt, kann auch nicht von selbst kommen.',
  changedSince: question => `Zuerst: Was hat sich seit dem letzten Lauf geändert? Dann: ${question}`,
  difference: 'Was sich seit dem Lauf davor geändert hat',
  late: due => `Dieser Lauf ist verspätet: Fällig war er ${due}.`,
  missed: count => (count === 1 ? 'Ein Lauf davor ist ausgefallen.' : `${numberText(count, 'de')} Läufe davor sind ausgefallen.`),
  lastRun: when => `Der letzte Lauf davor war ${when}.`,
  gateFailed: why => `Ob es neue Daten gibt, ließ sich nicht prüfen (${why}).`,
  conditionFailed: 'Ob die Bedingung zutrifft, ließ sich nicht prüfen; darum kommt der Bericht trotzdem.',
  opened: (question, condition) => `🔔 **${question}**\n\nDer Alarm ist offen, weil ${condition}.`,
  more: keys => `🔔 Jetzt auch: ${keys}.`,
  stillOpen: since => `🔔 Noch immer offen, seit ${since}.`,
  leftOpen: '🔔 Das war der letzte Termin, und der Alarm ist noch offen.',
  resolved: question => `✅ **${question}**\n\nVorbei: Die Bedingung trifft nicht mehr zu.`,
  failing: (why, isLast) =>
    `Das ließ sich nicht prüfen: ${why} ${isLast ? 'Das war der letzte Termin.' : 'Beim nächsten Termin wird es neu versucht.'}`,
  worksAgain: 'Das ließ sich wieder prüfen.',
  stopped: (question, why, near) =>
    `**${question}** ist angehalten, weil die Abfrage nicht mehr geht: ${why}${near === '' ? '' : ` Ähnliche Namen: ${near}.`}\n\nSoll es neu eingerichtet werden? Dann bitte in eigenen Worten danach fragen.`,
  ownerLeft: question =>
    `**${question}** pausiert: Wer es eingerichtet hat, ist nicht mehr hier oder hat kein Recht auf die Daten, oder die Datenquelle heißt jetzt anders. Jemand anders kann es neu einrichten.`,
  acknowledge: 'Gesehen',
  snooze: 'Einen Tag Ruhe',
  why: 'Warum?',
  acknowledged: 'Gesehen: Es bleibt still, bis etwas hinzukommt oder es vorbei ist.',
  snoozed: 'Einen Tag lang bleibt es still.',
  notOpen: 'Dieser Alarm ist nicht mehr offen.',
  repeat: 'Wiederholen…',
  repeatWhen: 'Wann?',
  repeatHint: 'Etwa „jeden Werktag um 8:30“ oder „wenn ein Wert 2 % übersteigt“',
  none: 'Es gibt keine eigenen Abonnements. Eines entsteht auf Zuruf: „jeden Montag um 9: …“ oder „sag uns, wenn …“.',
  usage:
    '`/subscriptions` zeigt die eigenen; `/subscriptions pause`, `resume`, `run` oder `delete` braucht die Kennung eines eigenen, `edit` danach auch die Änderung in eigenen Worten.',
  status: { paused: 'pausiert', stopped: 'angehalten', ended: 'beendet' },
  steered: (id, steering) =>
    `\`${id}\` ${{ pause: 'pausiert', resume: 'läuft wieder', run: 'läuft jetzt', delete: 'ist gelöscht' }[steering]}.`,
  whyQuestion: alert => `Warum kam dieser Alarm?\n\n${alert}`,
} satisfies typeof ENGLISH

export const subscriptionWords = inLanguages<typeof ENGLISH>({ en: ENGLISH, de: GERMAN })
