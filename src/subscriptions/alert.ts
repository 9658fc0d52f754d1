import type { Check } from '../agent/subscribe/condition.ts'
import { SUBSCRIPTION_LIMITS } from './limits.ts'
import { type Alert, QUIET } from './subscription.ts'

/** What an alert has to say. Null: nothing. */
export type AlertWord = 'opened' | 'more' | 'stillOpen' | 'resolved' | null

/**
 * Moves an alert on by a run. An open alert tells of further rows, and once a day that it is still open. One that was acknowledged
 * tells of further rows and of its end only. One that was snoozed stays quiet for a day, or until its end.
 */
export function moveAlert(
  alert: Alert,
  { firing, holding, isEvent }: Pick<Check, 'firing' | 'holding' | 'isEvent'>,
  due: number,
): { readonly alert: Alert; readonly word: AlertWord } {
  if (isEvent) return { alert: QUIET, word: firing.length > 0 ? 'opened' : null }
  if (alert.state === 'quiet') {
    if (firing.length === 0) return { alert, word: null }
    return { alert: { state: 'open', since: due, toldAt: due, keys: [...firing] }, word: 'opened' }
  }
  // A row that holds again before the alert is resolved is no news.
  const told = new Set(alert.keys)
  if (!holding.some(key => told.has(key)) && firing.length === 0) return { alert: QUIET, word: 'resolved' }
  const isOver = due - alert.toldAt >= SUBSCRIPTION_LIMITS.stillOpenMs
  if (alert.state === 'snoozed' && !isOver) return { alert, word: null }
  const added = firing.filter(key => !told.has(key))
  if (added.length > 0) {
    const held = new Set(holding)
    const gone = alert.keys.filter(key => !held.has(key)).slice(-SUBSCRIPTION_LIMITS.goneRows)
    const keys = [...gone, ...alert.keys.filter(key => held.has(key)), ...added]
    return { alert: { ...alert, state: 'open', toldAt: due, keys }, word: 'more' }
  }
  return isOver && alert.state !== 'acknowledged'
    ? { alert: { ...alert, state: 'open', toldAt: due }, word: 'stillOpen' }
    : { alert, word: null }
}
