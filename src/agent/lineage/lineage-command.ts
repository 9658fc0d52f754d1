/** What `/lineage` was given: a job or a run's id, perhaps a question. */
export interface LineageCommand {
  readonly job: string
  /** Empty: the graph and the last run are wanted. */
  readonly question: string
  readonly isDeep: boolean
}

/** `lineage JOB [question] [--deep]`, as slash commands say it and people may; `--deep` may stand anywhere behind the job. */
export function readLineageCommand(text: string): LineageCommand | undefined {
  const [, job, rest = ''] = /^\/?lineage\s+([A-Za-z_][\w-]{0,99})(?:\s+([\s\S]+))?$/i.exec(text.trim()) ?? []
  if (job === undefined) return undefined
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
