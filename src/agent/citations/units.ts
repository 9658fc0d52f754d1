/** A unit of measure: what it measures and how many of the base unit (seconds, bits, lamports, parts of one) it is. */
export interface Unit {
  readonly dimension: 'time' | 'data' | 'energy' | 'stake' | 'part' | 'money'
  readonly factor: number
}

const WRITTEN: readonly (readonly [RegExp, Unit['dimension'], number])[] = [
  [/^(?:ns|nanoseconds?)$/, 'time', 1e-9],
  [/^(?:us|µs|μs|[mM]icroseconds?|Mikrosekunden?)$/, 'time', 1e-6],
  [/^(?:ms|milliseconds?|millisekunden?)$/i, 'time', 1e-3],
  [/^(?:s|secs?|[sS]econds?|Sekunden?)$/, 'time', 1],
  [/^(?:min|mins|minutes?|minuten?)$/i, 'time', 60],
  [/^(?:h|hrs?|[hH]ours?|Stunden?|Std)$/, 'time', 3600],
  [/^(?:d|[dD]ays?|Tage?n?)$/, 'time', 86_400],
  [/^(?:weeks?|wochen?)$/i, 'time', 604_800],
  [/^(?:bits?)$/, 'data', 1],
  [/^(?:bps|bits?\/s)$/, 'data', 1],
  [/^(?:[kK]bps|[kK]bits?(?:\/s)?|[kK]b\/s|kilobits?)$/, 'data', 1e3],
  [/^(?:Mbps|Mbits?(?:\/s)?|Mb\/s|[Mm]egabits?)$/, 'data', 1e6],
  [/^(?:Gbps|Gbits?(?:\/s)?|Gb\/s|[Gg]igabits?)$/, 'data', 1e9],
  [/^(?:Tbps|Tbits?(?:\/s)?|Tb\/s|[Tt]erabits?)$/, 'data', 1e12],
  [/^(?:bytes?|B|Bytes?)(?:\/s)?$/, 'data', 8],
  [/^(?:[kK]B|[kK]ilobytes?)(?:\/s)?$/, 'data', 8e3],
  [/^(?:MB|[Mm]egabytes?)(?:\/s)?$/, 'data', 8e6],
  [/^(?:GB|[Gg]igabytes?)(?:\/s)?$/, 'data', 8e9],
  [/^(?:TB|[Tt]erabytes?)(?:\/s)?$/, 'data', 8e12],
  [/^(?:PB|[Pp]etabytes?)(?:\/s)?$/, 'data', 8e15],
  [/^KiB(?:\/s)?$/i, 'data', 8 * 2 ** 10],
  [/^MiB(?:\/s)?$/, 'data', 8 * 2 ** 20],
  [/^GiB(?:\/s)?$/, 'data', 8 * 2 ** 30],
  [/^TiB(?:\/s)?$/, 'data', 8 * 2 ** 40],
  [/^PiB(?:\/s)?$/, 'data', 8 * 2 ** 50],
  [/^Wh$/, 'energy', 1],
  [/^kWh$/i, 'energy', 1e3],
  [/^MWh$/, 'energy', 1e6],
  [/^GWh$/, 'energy', 1e9],
  [/^lamports?$/i, 'stake', 1],
  [/^SOL$/, 'stake', 1e9],
  [/^(?:%|percent|per cent|pct|prozent)$/i, 'part', 0.01],
  [/^(?:pp|ppt|percentage points?|prozentpunkten?|prozentpunkte)$/i, 'part', 0.01],
  [/^(?:‰)$/, 'part', 0.001],
  [/^(?:cents?|ct)$/i, 'money', 0.01],
  [/^(?:\$|€|£|usd|eur|gbp|euros?|dollars?)$/i, 'money', 1],
]

/** The unit that a word, or a sign, behind a number names. */
export function writtenUnit(word: string): Unit | undefined {
  const known = WRITTEN.find(([pattern]) => pattern.test(word))
  return known && { dimension: known[1], factor: known[2] }
}

const NAMED: readonly (readonly [RegExp, Unit['dimension'], number])[] = [
  [/(?:^|_)(?:kbps|kilobits?)(?:_|$)/, 'data', 1e3],
  [/(?:^|_)(?:mbps|mbit|mbits|megabits?)(?:_|$)/, 'data', 1e6],
  [/(?:^|_)(?:gbps|gbit|gbits|gigabits?)(?:_|$)/, 'data', 1e9],
  [/(?:^|_)(?:tbps|tbit|terabits?)(?:_|$)/, 'data', 1e12],
  [/(?:^|_)(?:bps|bits?)(?:_|$)/, 'data', 1],
  [/(?:^|_)(?:kb|kilobytes?)$/, 'data', 8e3],
  [/(?:^|_)(?:mb|megabytes?)$/, 'data', 8e6],
  [/(?:^|_)(?:gb|gigabytes?)$/, 'data', 8e9],
  [/(?:^|_)(?:tb|terabytes?)$/, 'data', 8e12],
  [/(?:^|_)kib$/, 'data', 8 * 2 ** 10],
  [/(?:^|_)mib$/, 'data', 8 * 2 ** 20],
  [/(?:^|_)gib$/, 'data', 8 * 2 ** 30],
  [/(?:^|_)tib$/, 'data', 8 * 2 ** 40],
  [/(?:^|_)bytes(?:_|$)/, 'data', 8],
  [/(?:^|_)(?:ns|nanoseconds?)$/, 'time', 1e-9],
  [/(?:^|_)(?:us|usec|microseconds?)$/, 'time', 1e-6],
  [/(?:^|_)(?:ms|msec|millis|milliseconds?)$/, 'time', 1e-3],
  [/(?:^|_)(?:s|secs?|seconds?|sekunden)(?:_ago)?$/, 'time', 1],
  [/(?:^|_)(?:min|minutes?|minuten)(?:_ago)?$/, 'time', 60],
  [/(?:^|_)(?:h|hours?|stunden)(?:_ago)?$/, 'time', 3600],
  [/(?:^|_)(?:days?|tage)(?:_ago)?$/, 'time', 86_400],
  [/(?:^|_)(?:weeks?|wochen)(?:_ago)?$/, 'time', 604_800],
  [/(?:^|_)wh$/, 'energy', 1],
  [/(?:^|_)kwh$/, 'energy', 1e3],
  [/(?:^|_)mwh$/, 'energy', 1e6],
  [/(?:^|_)lamports(?:_|$)/, 'stake', 1],
  [/(?:^|_)sol(?:_|$)/, 'stake', 1e9],
  [/(?:^|_)(?:percent|pct|percentage|prozent)(?:_|$)/, 'part', 0.01],
  [/(?:^|_)(?:ratio|fraction|rate|share|quote|anteil|probability)(?:_|$)/, 'part', 1],
  [/(?:^|_)cents(?:_|$)/, 'money', 0.01],
  [/(?:^|_)(?:usd|eur|gbp|euro|dollars?)(?:_|$)/, 'money', 1],
]

/** The unit that a result column's name tells: `rtt_us`, `stake_lamports`, `loss_percent`. */
export function namedUnit(column: string): Unit | undefined {
  const name = column.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  const known = NAMED.find(([pattern]) => pattern.test(name))
  return known && { dimension: known[1], factor: known[2] }
}
