/** What `/lineage` was given: a job or a run's id, perhaps a question. */
export interface LineageCommand {
  readonly job: string
  /** Empty: the graph and the last run are wanted. */
  readonly question: string
  readonly isDeep: boolean
}

/** Ids of other runners' runs may be anything that is written as one word, such as `scheduled__2026-03-01T00:00:00+00:00`. */
const COMMAND = /^\/?lineage\s+(\w(?:[\w.:+@/-]{0,198}\w)?)(?:\s([\s\S]+))?$/i
/** Words that no job is called by: "lineage of the orders" is a question in words. */
const NO_JOB = /^(?:of|for|from|about|behind|is|the|an?)$/i

/** Whether a message in a thread about a run is about data all the same: "ask how many users there are". */
export function leadsBackToData(text: string): boolean {
  return /^\/?ask[\s:,]/i.test(text.trim())
}

/** `lineage JOB [question] [--deep]`, as slash commands say it and people may; `--deep` may stand anywhere behind the job. */
export function readLineageCommand(text: string): LineageCommand | undefined {
  const [, job, rest = ''] = COMMAND.exec(text.trim()) ?? []
  if (job === undefined || NO_JOB.test(job)) return undefined
  const words = rest.split(/\s+/)
  const isDeep = words.includes('--deep')
  return {
    job,
    question: words
      .filter(word => word !== '--deep')
      .join(' ')
      .trim(),
    isDeep,
  }
}
