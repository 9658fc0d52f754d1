import { conditionInWords, recurrenceInWords } from '../../agent/subscribe/in-words.ts'
import { ClewError } from '../../base/errors.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { isSteered, type Steering, steer } from '../../subscriptions/steer.ts'
import { Subscriptions } from '../../subscriptions/store.ts'
import type { Subscription } from '../../subscriptions/subscription.ts'
import { subscriptionWords } from '../../words/subscription.ts'
import { wireRedis } from '../store.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'
import { printList } from './print-list.ts'

interface Options {
  readonly json: boolean
}

/** `clew subscriptions list`: shows all subscriptions. */
export async function listSubscriptionsCommand(context: CommandContext, options: Options): Promise<number> {
  const all = await (await open(context)).all(context.signal)
  const rows = all.map(({ id, kind, status, owner, recurrence, next, plan }) => [
    ...[id, kind, status, owner, recurrenceInWords(recurrence, 'en'), new Date(next), plan.question],
  ])
  const header = ['id', 'kind', 'status', 'owner', 'schedule', 'next', 'question']
  return printList(context, options, { value: all.map(reportOf), header, rows, whole: [0], empty: 'There are no subscriptions.' })
}

/** `clew subscriptions show ID`: shows a subscription with its SQL, and its runs, the latest first. */
export async function showSubscriptionCommand(context: CommandContext, id: string, options: Options): Promise<number> {
  const found = await (await open(context)).find(id, context.signal)
  if (found === undefined) throw unknown(id)
  const { kind, status, recurrence, condition, plan, history, alert } = found
  const told = condition === null ? 'each time' : `if ${conditionInWords(condition, 'en')}`
  const about = [
    `${kind}, ${status}, ${recurrenceInWords(recurrence, 'en')}, told ${told}\n`,
    ...(kind === 'alert' ? [`alert: ${alert.state}\n`] : []),
    `${plan.question}\n`,
    ...(plan.gate === null ? [] : [`gate: ${plan.gate}\n`]),
    ...plan.queries.map(query => `${query.id}: ${query.sql}\n`),
  ]
  if (!options.json) context.output.write(`${terminalText(about.join(''))}\n`)
  const rows = history.map(({ due, outcome, rows: count, firing, missed, isLate, tokens, cost, runId }) => [
    ...[new Date(due), isLate ? `${outcome}, late` : outcome, count, firing ?? '', missed, tokens, cost ?? '', runId],
  ])
  const header = ['due', 'outcome', 'rows', 'firing', 'missed', 'tokens', 'cost', 'run']
  const list = { value: reportOf(found), header, rows: rows.reverse(), whole: [0], empty: 'It has not run yet.' }
  return printList(context, options, list)
}

/** Returns `clew subscriptions pause|resume|run|delete ID`. */
export function steerSubscriptionCommand(steering: Steering) {
  return async (context: CommandContext, id: string): Promise<number> => {
    const after = await steer(await open(context), id, steering, context.signal)
    if (after === undefined) throw unknown(id)
    if (!isSteered(after, steering)) {
      tell(context, `${id} is ${after.status}, and stays so.`)
      return EXIT.failed
    }
    tell(context, subscriptionWords('en').steered(id, steering).replaceAll('`', ''))
    return EXIT.answered
  }
}

async function open(context: CommandContext): Promise<Subscriptions> {
  return new Subscriptions({ redis: await wireRedis(context, 'producer', context.signal), now: Date.now })
}

/** Leaves out the rows that are kept to compare with. */
function reportOf({ last: _, watched: __, ...subscription }: Subscription) {
  return subscription
}

function unknown(id: string): ClewError {
  return new ClewError(`There is no subscription ${id}: clew subscriptions list shows all.`, { code: 'not_found' })
}
