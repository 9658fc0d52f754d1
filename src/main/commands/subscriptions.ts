import { conditionInWords, recurrenceInWords } from '../../agent/subscribe/in-words.ts'
import { drawTable } from '../../bots/terminal/draw-table.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { type Steering, steer } from '../../subscriptions/steer.ts'
import { Subscriptions } from '../../subscriptions/store.ts'
import type { Subscription } from '../../subscriptions/subscription.ts'
import { wireRedis } from '../store.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

const DONE: Readonly<Record<Steering, string>> = {
  pause: 'is paused',
  resume: 'is active again',
  run: 'runs within seconds, if it is active and a worker runs',
  delete: 'is deleted',
}

/** `clew subscriptions list`: shows all subscriptions. */
export async function listSubscriptionsCommand(context: CommandContext, options: { readonly json: boolean }): Promise<number> {
  const all = await (await open(context)).all(context.signal)
  const rows = all.map(({ id, kind, status, owner, recurrence, next, plan }) =>
    [id, kind, status, owner, recurrenceInWords(recurrence, 'en'), isoTime(next), plan.question].map(terminalText),
  )
  const header = ['id', 'kind', 'status', 'owner', 'schedule', 'next', 'question']
  print(context, options, all.map(reportOf), { header, rows, empty: 'There are no subscriptions.' })
  return EXIT.answered
}

/** `clew subscriptions show ID`: shows a subscription with its SQL, and its runs, the latest first. */
export async function showSubscriptionCommand(
  context: CommandContext,
  id: string,
  options: { readonly json: boolean },
): Promise<number> {
  const found = await (await open(context)).find(id, context.signal)
  if (found === undefined) return unknown(context, id)
  const { kind, status, recurrence, condition, plan, history, alert } = found
  if (!options.json) {
    const told = condition === null ? 'each time' : `if ${conditionInWords(condition, 'en')}`
    const state = kind === 'alert' ? [`alert: ${alert.state}`] : []
    const sql = [...(plan.gate === null ? [] : [`gate: ${plan.gate}`]), ...plan.queries.map(query => `${query.id}: ${query.sql}`)]
    const lines = [`${kind}, ${status}, ${recurrenceInWords(recurrence, 'en')}, told ${told}`, ...state, plan.question, ...sql]
    context.output.write(`${lines.map(terminalText).join('\n')}\n\n`)
  }
  const rows = [...history]
    .reverse()
    .map(({ due, outcome, rows: count, firing, missed, isLate, tokens, cost, runId }) =>
      [...[isoTime(due), isLate ? `${outcome}, late` : outcome, count, firing ?? '', missed, tokens, cost ?? '', runId]].map(
        cell => terminalText(`${cell}`),
      ),
    )
  const header = ['due', 'outcome', 'rows', 'firing', 'missed', 'tokens', 'cost', 'run']
  print(context, options, reportOf(found), { header, rows, empty: 'It has not run yet.' })
  return EXIT.answered
}

/** `clew subscriptions pause|resume|run|delete ID` */
export async function steerSubscriptionCommand(context: CommandContext, steering: Steering, id: string): Promise<number> {
  const deps = { subscriptions: await open(context), now: Date.now }
  if ((await steer(deps, id, steering, context.signal)) === undefined) return unknown(context, id)
  tell(context, `${id} ${DONE[steering]}.`)
  return EXIT.answered
}

async function open(context: CommandContext): Promise<Subscriptions> {
  return new Subscriptions(await wireRedis(context, 'producer', context.signal))
}

function print(
  { output }: CommandContext,
  { json }: { readonly json: boolean },
  value: unknown,
  { empty, ...table }: { readonly header: readonly string[]; readonly rows: readonly string[][]; readonly empty: string },
): void {
  const drawn = () => drawTable({ ...table, numeric: new Set(), whole: new Set([0]) }, viewOf(output).width)
  output.write(`${json ? JSON.stringify(value) : table.rows.length === 0 ? empty : drawn()}\n`)
}

/** Leaves out the rows that are kept to compare with. */
function reportOf({ last: _, watched: __, ...subscription }: Subscription) {
  return subscription
}

function isoTime(at: number): string {
  return new Date(at).toISOString()
}

function unknown(context: CommandContext, id: string): number {
  tell(context, `There is no subscription ${id}: clew subscriptions list shows all.`)
  return EXIT.failed
}
