export interface CaseReport {
  readonly id: string
  readonly question: string
  readonly tags: readonly string[]
  readonly correct: boolean
  /** Why the answer is wrong. Null if it is correct. */
  readonly reason: string | null
  readonly detail: string
  /** True if the answer is correct and no query needed a second attempt. */
  readonly first_try: boolean
  /** True if every query succeeded in the end. */
  readonly error_free: boolean
  /** How often a query was rewritten after a failed attempt. */
  readonly retries: number
  /** The number of sentences in the answer that the cited rows do not support. */
  readonly unsupported: number
  /** Names in the answer that appear in nothing that the model read. The search is rough, so a person must check them. */
  readonly unseen_names: readonly string[]
  readonly latency_ms: number
  readonly tokens_in: number
  readonly tokens_out: number
}

/** The figures of a group of cases. `correct`, `first_try` and `error_free` are shares from 0 to 1. Means are per case. */
export interface GroupReport {
  readonly cases: number
  readonly correct: number
  readonly first_try: number
  readonly error_free: number
  readonly mean_retries: number
  /** The number of sentences in all answers that the cited rows do not support. */
  readonly unsupported: number
  /** The number of names in all answers that appear in nothing that the model read. */
  readonly unseen_names: number
  readonly reasons: Readonly<Record<string, number>>
  readonly latency_ms: { readonly p50: number; readonly p95: number }
  readonly tokens: { readonly in: number; readonly out: number }
}

export interface EvalReport {
  readonly cases_file: string
  readonly model: string
  readonly finished_at: string
  readonly all: GroupReport
  readonly by_tag: Readonly<Record<string, GroupReport>>
  readonly cases: readonly CaseReport[]
}

/** Summarizes the cases, in total and by tag. */
export function evalReport(
  about: Pick<EvalReport, 'cases_file' | 'model' | 'finished_at'>,
  cases: readonly CaseReport[],
): EvalReport {
  const tags = [...new Set(cases.flatMap(each => each.tags))].sort()
  const byTag = tags.map(tag => [tag, groupReport(cases.filter(each => each.tags.includes(tag)))] as const)
  return { ...about, all: groupReport(cases), by_tag: Object.fromEntries(byTag), cases }
}

function groupReport(cases: readonly CaseReport[]): GroupReport {
  const mean = (value: (each: CaseReport) => number) => sum(cases.map(value)) / Math.max(1, cases.length)
  const reasons = new Map<string, number>()
  for (const { reason } of cases) if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  const latencies = cases.map(each => each.latency_ms)
  return {
    cases: cases.length,
    correct: mean(each => Number(each.correct)),
    first_try: mean(each => Number(each.first_try)),
    error_free: mean(each => Number(each.error_free)),
    mean_retries: mean(each => each.retries),
    unsupported: sum(cases.map(each => each.unsupported)),
    unseen_names: sum(cases.map(each => each.unseen_names.length)),
    reasons: Object.fromEntries([...reasons].sort((a, b) => b[1] - a[1])),
    latency_ms: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
    tokens: { in: Math.round(mean(each => each.tokens_in)), out: Math.round(mean(each => each.tokens_out)) },
  }
}

/**
 * The cases whose verdict changed since an earlier report. Cases that are in only one of the two reports are listed separately.
 */
export interface ReportComparison {
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  readonly onlyBefore: readonly string[]
  readonly onlyAfter: readonly string[]
}

export interface ComparableReport {
  readonly cases: readonly Pick<CaseReport, 'id' | 'correct'>[]
}

export function compareReports(before: ComparableReport, after: ComparableReport): ReportComparison {
  const earlier = new Map(before.cases.map(each => [each.id, each.correct]))
  const later = new Map(after.cases.map(each => [each.id, each.correct]))
  const changed = (from: boolean) =>
    [...later].filter(([id, correct]) => earlier.get(id) === from && correct !== from).map(([id]) => id)
  return {
    gained: changed(false),
    lost: changed(true),
    onlyBefore: [...earlier.keys()].filter(id => !later.has(id)),
    onlyAfter: [...later.keys()].filter(id => !earlier.has(id)),
  }
}

/** Formats the report for a terminal. */
export function reportText(report: EvalReport): string {
  const groups: readonly (readonly [string, GroupReport])[] = [['all', report.all], ...Object.entries(report.by_tag)]
  const width = Math.max(...groups.map(([name]) => name.length))
  const lines = groups.map(([name, group]) => `${name.padEnd(width)}  ${groupText(group)}`)
  const misses = report.cases.filter(each => !each.correct).map(({ id, reason, detail }) => `  ${id}: ${reason}, ${detail}`)
  const unseen = report.cases.filter(each => each.unseen_names.length > 0)
  const names = unseen.map(each => `  ${each.id}: ${each.unseen_names.join(', ')}`)
  return [
    ...lines,
    ...(misses.length > 0 ? ['', 'Not right:', ...misses] : []),
    ...(names.length > 0 ? ['', 'Names in an answer that its writer was not shown:', ...names] : []),
  ].join('\n')
}

function groupText(group: GroupReport): string {
  const share = (value: number) => `${(100 * value).toFixed(1).padStart(5)} %`
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  return [
    `${String(group.cases).padStart(4)} cases`,
    `${share(group.correct)} correct`,
    `${share(group.first_try)} at first try`,
    `${share(group.error_free)} error-free`,
    `${group.mean_retries.toFixed(2)} retries`,
    `${group.unsupported} sentences unverified`,
    `${group.unseen_names} unseen names`,
    `${seconds(group.latency_ms.p50)} (p95 ${seconds(group.latency_ms.p95)})`,
    `${group.tokens.in} + ${group.tokens.out} tokens`,
  ].join(', ')
}

/** Returns the quantile of the values, such as the median for a `share` of 0.5. Returns 0 if there are no values. */
function quantile(values: readonly number[], share: number): number {
  const ascending = [...values].sort((a, b) => a - b)
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
