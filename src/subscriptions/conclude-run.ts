import type { QueryReport, RunResult } from '../agent/run/result.ts'
import { checkCondition, fitsCondition, keyedRows } from '../agent/subscribe/condition.ts'
import { differenceOf, snapshotsOf } from '../agent/subscribe/difference.ts'
import type { StandingRun } from '../agent/subscribe/frozen-plan.ts'
import { conditionInWords, momentInWords } from '../agent/subscribe/in-words.ts'
import { isInvalid } from '../agent/subscribe/run-standing.ts'
import { nextDue } from '../agent/subscribe/schedule.ts'
import { spentOn } from '../agent/subscribe/spent.ts'
import { resultTable } from '../agent/write/result-table.ts'
import { subscriptionWords } from '../words/subscription.ts'
import { type AlertWord, moveAlert } from './alert.ts'
import { SUBSCRIPTION_LIMITS } from './limits.ts'
import type { Subscription, SubscriptionRun } from './subscription.ts'

/** How a due run ended: what it changes of its subscription, and what its history tells. */
export interface Conclusion {
  readonly change: Partial<Pick<Subscription, 'status' | 'alert' | 'watched' | 'last' | 'gateRow' | 'isFailing'>>
  readonly run: Omit<SubscriptionRun, 'due' | 'missed' | 'isLate' | 'startedAt' | 'runId' | 'rights'>
  /** The report or the alert to show, if there is one. */
  readonly report?: RunResult
}

/** What the program found out during a run, besides its answer. */
interface Found {
  gate: Parameters<StandingRun['mayRead']>[0] | null
  reports: readonly QueryReport[]
  /** Null if there is no condition, or if it could not be checked. */
  check: ReturnType<typeof checkCondition> | null
  /** Whether a report was to be written. */
  isWritten: boolean
}

/** The counts of a run that found and said nothing. */
export const NOTHING = { rows: 0, firing: null, tokens: 0, cost: null, said: '', isReport: false } as const

/** Makes the run of a subscription. `found` tells after it what was found. */
export function standingRunOf(
  subscription: Subscription,
  due: number,
): { readonly run: StandingRun; readonly found: () => Found } {
  const { plan, kind, condition, last, watched, gateRow, language } = subscription
  const words = subscriptionWords(language)
  const found: Found = { gate: null, reports: [], check: null, isWritten: false }
  return {
    run: {
      plan,
      due,
      // A report whose gate fails comes all the same. An alert whose gate fails does not fire.
      mayRead: gate => {
        found.gate = gate
        return 'error' in gate ? kind === 'report' : gate.row !== gateRow
      },
      toWrite: reports => {
        found.reports = reports
        const [first] = reports
        const isReadable = first !== undefined && first.error === null
        if (condition !== null && isReadable && fitsCondition(condition, first))
          found.check = checkCondition(condition, first, watched, due)
        const isMet = found.check === null || found.check.firing.length > 0
        if (kind === 'alert' || !isMet || reports.some(isInvalid) || reports.every(({ error }) => error !== null)) return null
        found.isWritten = true
        const difference = differenceOf(last, reports, words.difference)
        return { question: difference === null ? plan.question : words.changedSince(plan.question), difference }
      },
    },
    found: () => found,
  }
}

/** Decides what a run means for its subscription, and what is to be said. */
export function concludeRun(subscription: Subscription, found: Found, result: RunResult): Conclusion {
  const { kind, condition, plan, language, gateRow } = subscription
  const words = subscriptionWords(language)
  const { gate, reports, check } = found
  if (gate !== null && 'row' in gate && gate.row === gateRow)
    return { change: { isFailing: false }, run: { ...NOTHING, outcome: 'no_new_data' } }
  const invalid = reports.find(isInvalid)
  if (invalid !== undefined) {
    const { message = '', near = [] } = invalid.failed_attempts.at(-1) ?? {}
    const said = words.stopped(plan.question, message, near.map(name => `\`${name}\``).join(', '))
    return { change: { status: 'stopped' }, run: { ...NOTHING, outcome: 'stopped', said } }
  }
  const gateError = gate !== null && 'error' in gate ? gate.error : undefined
  const wrong = reports.find(({ error }) => error !== null)?.error
  if (kind === 'alert' && gateError !== undefined) return failed(subscription, words.gateFailed(gateError))
  if (reports.every(({ error }) => error !== null)) return failed(subscription, wrong ?? gateError ?? '')
  if (kind === 'alert' && check === null) return failed(subscription, wrong ?? words.noFigure)
  const change = {
    isFailing: false,
    last: snapshotsOf(reports),
    ...(check !== null && { watched: check.watched }),
    ...(gate !== null && 'row' in gate && { gateRow: gate.row }),
  }
  const rows = reports.reduce((sum, report) => sum + report.row_count, 0)
  const firing = check?.firing.length ?? null
  if (kind === 'report') {
    const isTold = found.isWritten
    const own = [
      ...(gateError === undefined ? [] : [words.gateFailed(gateError)]),
      ...(condition !== null && check === null ? [words.conditionFailed] : []),
    ]
    const told = [...notes(subscription), ...own].map(note => `_${note}_`)
    const answer = [...told, result.answer].join('\n\n')
    const run = {
      ...NOTHING,
      outcome: isTold ? 'told' : 'quiet',
      rows,
      firing,
      ...spentOn(result.steps),
      isReport: isTold,
    } as const
    return { change: { ...change, ...ending(subscription, isTold) }, run, ...(isTold && { report: { ...result, answer } }) }
  }
  return concludeAlert(subscription, { change, rows, firing, reports, check }, result)
}

/** Ends what is to be told once. */
function ending({ once }: Subscription, isTold: boolean): Conclusion['change'] {
  return once && isTold ? { status: 'ended' } : {}
}

function concludeAlert(
  subscription: Subscription,
  {
    change,
    check,
    reports,
    ...counted
  }: Pick<Conclusion, 'change'> & Pick<Found, 'reports' | 'check'> & Pick<SubscriptionRun, 'rows' | 'firing'>,
  result: RunResult,
): Conclusion {
  const { condition, alert, running, language, isFailing } = subscription
  if (condition === null || check === null || running === null)
    return { change, run: { ...NOTHING, ...counted, outcome: 'quiet' } }
  const moved = moveAlert(alert, condition, check, running.due)
  const words = subscriptionWords(language)
  const answer = [
    ...(isFailing ? [words.worksAgain] : []),
    ...(isFailing || moved.word !== null || wasBlind(subscription) ? notes(subscription) : []),
    ...(moved.word === null ? [] : [alertText(subscription, moved.word, check.firing, reports[0])]),
  ].join('\n\n')
  const isTold = answer !== ''
  const run = { ...NOTHING, ...counted, outcome: isTold ? 'told' : 'quiet', isReport: isTold } as const
  const end = ending(subscription, moved.word === 'opened')
  return { change: { ...change, ...end, alert: moved.alert }, run, ...(isTold && { report: { ...result, answer } }) }
}

function alertText(
  { plan, condition, alert, language, recurrence }: Subscription,
  word: NonNullable<AlertWord>,
  firing: readonly string[],
  report: QueryReport | undefined,
): string {
  const words = subscriptionWords(language)
  const shown = firing.slice(0, SUBSCRIPTION_LIMITS.alertRows)
  const keyed = report === undefined ? new Map() : keyedRows(report)
  const rows = shown.flatMap(key => (keyed.has(key) ? [keyed.get(key)] : []))
  const names = shown.filter(key => key !== '' && !keyed.has(key)).join(', ')
  const table = rows.length === 0 || report === undefined ? names : resultTable({ columns: report.columns, rows }, rows.length)
  const below = (text: string) => [text, table].filter(part => part !== '').join('\n\n')
  switch (word) {
    case 'opened':
      return below(words.opened(plan.question, condition === null ? '' : conditionInWords(condition, language)))
    case 'more':
      return below(words.more(shown.filter(key => !alert.keys.includes(key)).join(', ')))
    case 'stillOpen':
      return below(words.stillOpen(momentInWords(alert.since, recurrence.zone, language)))
    case 'resolved':
      return words.resolved(plan.question)
  }
}

/** What is told of a run that is late, or that comes after missed ones. */
function notes({ running, recurrence, language }: Subscription): readonly string[] {
  const words = subscriptionWords(language)
  return [
    ...(running?.isLate === true ? [words.late(momentInWords(running.due, recurrence.zone, language))] : []),
    ...(running !== null && running.missed > 0 ? [words.missed(running.missed)] : []),
  ]
}

/** Whether an alert has missed so many runs that this is told even if nothing else is. */
function wasBlind({ running, recurrence }: Subscription): boolean {
  if (running === null) return false
  const between = (nextDue(recurrence, running.due) ?? running.due) - running.due
  return running.missed * between >= SUBSCRIPTION_LIMITS.blindMs
}

/** A run that failed. A report is missed, so each failure is told. An alert tells only the first of a row. */
export function failed({ kind, isFailing, language, status }: Subscription, why: string): Conclusion {
  const said = kind === 'report' || !isFailing ? subscriptionWords(language).failing(why, status === 'ended') : ''
  return { change: { isFailing: true }, run: { ...NOTHING, outcome: 'failed', said } }
}
