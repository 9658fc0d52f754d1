import { AGENT_LIMITS } from '../agent/limits.ts'
import type { RunResult } from '../agent/run/result.ts'
import { spentOn } from '../agent/run/step-reports.ts'
import { type Check, checkCondition, isTooLong } from '../agent/subscribe/condition.ts'
import { snapshotsOf } from '../agent/subscribe/difference.ts'
import { conditionInWords, momentInWords } from '../agent/subscribe/in-words.ts'
import { gateRowOf, isInvalid } from '../agent/subscribe/run-standing.ts'
import { nextDue } from '../agent/subscribe/schedule.ts'
import { resultTable } from '../agent/write/result-table.ts'
import { cellText } from '../agent/write/results-prompt.ts'
import { withSafeLinks } from '../agent/write/safe-links.ts'
import { answerWords } from '../words/answer.ts'
import { subscriptionWords } from '../words/subscription.ts'
import { type AlertWord, moveAlert } from './alert.ts'
import { SUBSCRIPTION_LIMITS } from './limits.ts'
import { lookedAt, type Running, type Subscription, type SubscriptionRun, withRun } from './subscription.ts'

/**
 * Decides what the run under way means for its subscription, and what is to be said.
 * @param result its result, why it failed, or undefined if its owner may not ask here any more
 * @returns the subscription after the run, and the report or the alert to show, if there is one
 */
export function concludeRun(
  subscription: Subscription,
  running: Running & Pick<SubscriptionRun, 'runId' | 'rights'>,
  result: RunResult | string | undefined,
): { readonly next: Subscription; readonly report?: RunResult } {
  const { kind, status, condition, plan, language, gateRow, once, isFailing } = subscription
  const words = subscriptionWords(language)
  const ended = (outcome: SubscriptionRun['outcome'], change: Partial<Subscription>, said = '') => ({
    next: withRun({ ...subscription, ...change }, { ...running, outcome, said: safe(said) }),
  })
  // An alert that its last run leaves open would otherwise end without a word.
  const leftOpen = (alert: Subscription['alert']) => (status === 'ended' && alert.state !== 'quiet' ? words.leftOpen : '')
  // A report is missed, so each failure is told. An alert tells only the first of a row, and one with which it ends.
  const failed = (why: string) => {
    const said = kind === 'report' || !isFailing ? words.failing(why, status === 'ended') : leftOpen(subscription.alert)
    return ended('failed', { isFailing: true }, said)
  }
  if (result === undefined) return ended('paused', { status: 'paused' }, words.ownerLeft(plan.question))
  if (typeof result === 'string') return failed(result)
  const gate = result.gate?.error === null ? { gateRow: gateRowOf(result.gate) } : undefined
  if (gate?.gateRow === gateRow) return ended('no_new_data', { isFailing: false }, leftOpen(subscription.alert))
  const reports = result.queries.filter(({ combined }) => combined === undefined)
  const invalid = reports.find(isInvalid)?.failed_attempts.at(-1)
  if (invalid !== undefined) {
    const near = invalid.near.map(name => `\`${name}\``).join(', ')
    return ended('stopped', { status: 'stopped' }, words.stopped(plan.question, invalid.message, near))
  }
  const gateError = result.gate?.error ?? null
  if (kind === 'alert' && gateError !== null) return failed(words.gateFailed(gateError))
  const check = checkCondition({ ...subscription, lookedAt: lookedAt(subscription) }, reports, running.due)
  const wrong = reports.find(({ error }) => error !== null)?.error
  const whyUnchecked = () => {
    const [first] = reports
    const isLong = first !== undefined && condition !== null && isTooLong(condition, first)
    return isLong ? words.tooManyRows(AGENT_LIMITS.subscribe.watchedRows) : words.noFigure
  }
  if (reports.every(({ error }) => error !== null) || (kind === 'alert' && check === null)) return failed(wrong ?? whyUnchecked())
  const moved = kind === 'alert' && check !== null ? moveAlert(subscription.alert, check, running.due) : undefined
  const remarks = [
    ...notes(subscription, running),
    ...(gateError === null ? [] : [words.gateFailed(gateError)]),
    ...(condition !== null && check === null ? [words.conditionFailed] : []),
  ].map(remark => `_${safe(remark)}_`)
  const report = result.answer === '' ? [] : [...remarks, result.answer]
  const alertTold = moved && check && [...alertTexts(subscription, running, moved.word, check).map(safe), leftOpen(moved.alert)]
  const told = alertTold?.filter(text => text !== '') ?? report
  const isTold = told.length > 0
  const isOver = once && (moved ? moved.word === 'opened' : isTold)
  const change = {
    ...{ isFailing: false, last: snapshotsOf(reports), ...gate },
    ...(check && { watched: check.watched }),
    ...(moved && { alert: moved.alert }),
    ...(isOver && { status: 'ended' as const }),
  }
  const rows = reports.reduce((sum, report) => sum + report.row_count, 0)
  const run = { ...running, ...spentOn(result.steps), rows, firing: check?.firing.length ?? null, isReport: isTold }
  return {
    next: withRun({ ...subscription, ...change }, { ...run, outcome: isTold ? 'told' : 'quiet' }),
    ...(isTold && { report: { ...result, answer: told.join('\n\n') } }),
  }
}

/** Names of rows and messages of engines may hold links, and nobody has checked where they lead. */
function safe(text: string): string {
  return withSafeLinks(text, [])
}

/** Writes what an alert has to say, with the rows that fire it. */
function alertTexts(subscription: Subscription, running: Running, word: AlertWord, { firing, keyed, columns, truncated }: Check) {
  const { plan, condition, alert, language, recurrence, isFailing } = subscription
  const words = subscriptionWords(language)
  const between = (nextDue(recurrence, running.due) ?? running.due) - running.due
  const wasBlind = running.missed * between >= SUBSCRIPTION_LIMITS.blindMs
  const before = [
    ...(isFailing ? [words.worksAgain] : []),
    ...(isFailing || word !== null || wasBlind ? notes(subscription, running) : []),
  ]
  if (word === null) return before
  const told = new Set(alert.keys)
  const added = firing.filter(key => !told.has(key))
  // What joins an open alert comes first, so that it is among the rows that are shown.
  const shown = [...added, ...firing.filter(key => told.has(key))].slice(0, SUBSCRIPTION_LIMITS.alertRows)
  const hidden = firing.length - shown.length
  const rows = shown.map(key => keyed.get(key)).filter(row => row !== undefined)
  const named = (keys: readonly string[]) => keys.map(cellText).join(', ')
  const names = named(shown.filter(key => key !== '' && !keyed.has(key)))
  const table = rows.length === 0 ? names : resultTable({ columns, rows }, rows.length)
  const said = {
    opened: words.opened(plan.question, condition === null ? '' : conditionInWords(condition, language)),
    more: words.more(named(added.slice(0, SUBSCRIPTION_LIMITS.alertRows))),
    stillOpen: words.stillOpen(momentInWords(alert.since, recurrence.zone, language)),
    resolved: words.resolved(plan.question),
  }
  const further = hidden === 0 && !truncated ? [] : [answerWords(language).moreRows(truncated ? null : hidden)]
  return [...before, said[word], ...(table === '' ? [] : [table]), ...further]
}

/** What is told of a run that is late, that comes after missed ones, or that comes much longer after the run before than usual. */
function notes(subscription: Subscription, { due, isLate, missed }: Running): readonly string[] {
  const { recurrence, language } = subscription
  const words = subscriptionWords(language)
  const inWords = (at: number) => momentInWords(at, recurrence.zone, language)
  const before = lookedAt(subscription)
  const pause = before === undefined ? 0 : due - before
  const isLong =
    pause >= SUBSCRIPTION_LIMITS.blindMs && pause >= 2 * ((nextDue(recurrence, due) ?? Number.POSITIVE_INFINITY) - due)
  return [
    ...(isLate ? [words.late(inWords(due))] : []),
    ...(missed > 0 ? [words.missed(missed)] : []),
    ...(before !== undefined && isLong ? [words.lastRun(inWords(before))] : []),
  ]
}
