import type { StepContext } from '../run/context.ts'

/**
 * Returns a context in which a growing answer begins with the lead, as the finished one will.
 * @param lead read at each event. Empty for an answer without a lead
 */
export function withLead<Context extends Pick<StepContext, 'observe'>>(context: Context, lead: () => string): Context {
  return {
    ...context,
    observe: event =>
      context.observe(event.kind === 'answer_grown' ? { ...event, markdown: led(lead(), event.markdown) } : event),
  }
}

/** Puts the lead above the answer. */
export function led(lead: string, markdown: string): string {
  return lead === '' ? markdown : `${lead}\n\n${markdown}`
}
