/** The parsed arguments of `/lineage`: the name of a job or the id of a run, and perhaps a question. */
export interface LineageCommand {
  readonly job: string
  /** The question. If it is empty, Clew shows the graph and the latest run. */
  readonly question: string
  readonly isDeep: boolean
}

/**
 * Matches the command. The job may also be the id of a run. In other pipeline systems, this is any single word, such as
 * `scheduled__2026-03-01T00:00:00+00:00`.
 */
const COMMAND = /^\/?lineage\s+(--deep\s+)?(\w(?:[\w.:+@/-]{0,198}\w)?)(?:\s([\s\S]+))?$/i
/** Words that are never the name of a job, because "lineage of the orders" is an ordinary question. */
const NO_JOB = /^(?:of|for|from|about|behind|is|the|an?)$/i

/** Whether a message in the thread of an investigation asks for data, as "ask how many users there are" does. */
export function leadsBackToData(text: string): boolean {
  return /^\/?ask[\s:,]/i.test(text.trim())
}

/** Parses `lineage JOB [question] [--deep]`, with or without a slash. `--deep` may also stand before the job. */
export function readLineageCommand(text: string): LineageCommand | undefined {
  const [, deep, job, rest = ''] = COMMAND.exec(text.trim()) ?? []
  if (job === undefined || NO_JOB.test(job)) return undefined
  const words = rest.split(/\s+/)
  const isDeep = deep !== undefined || words.includes('--deep')
  return {
    job,
    question: words
      .filter(word => word !== '--deep')
      .join(' ')
      .trim(),
    isDeep,
  }
}
