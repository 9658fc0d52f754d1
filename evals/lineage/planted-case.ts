import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { splitStatements } from '../../src/clickhouse/demo-world-statements.ts'
import { PRESERVATION_MODES } from '../../src/pipelines/job-definition.ts'

const cellSchema = z.union([z.string(), z.number(), z.null()])

const caseSchema = z.strictObject({
  /** Says nothing of the fault: whoever looks for it may see it. */
  id: z.string().regex(/^p[1-9]-[a-z]$/),
  /** Its definition and its world: `pipelines/<name>.yaml` and `.sql`. */
  pipeline: z.string().regex(/^[a-z]+$/),
  /** What kind of fault it is, in the words of whoever would file it. */
  fault: z.string(),
  /** Inputs, target and SQL as they stand after the run are not enough to prove the cause. */
  needs_replay: z.boolean(),
  preservation: z.enum(PRESERVATION_MODES),
  /** Changes of the definition: each `from` stands in it exactly once. */
  edits: z.array(z.strictObject({ from: z.string(), to: z.string() })).default([]),
  /** Statements that run on the world before the job. */
  before: z.array(z.string()).default([]),
  /** Statements that run on the world after the job, before anybody asks. */
  after: z.array(z.string()).default([]),
  /** As somebody would ask who sees the target only. */
  question: z.string(),
  /** A query whose one row is `wrong` with the fault and `right` without it. */
  symptom: z.strictObject({ sql: z.string(), wrong: z.array(cellSchema), right: z.array(cellSchema) }),
  root_cause: z.string(),
  /** What an answer must say, in whatever words, to count as having found the cause. */
  key_facts: z.array(z.string()).min(2),
})

/** A pipeline with one fault in it, and what is wrong, written down beforehand. */
export type PlantedCase = z.infer<typeof caseSchema>

const FOLDER = new URL('./', import.meta.url)

/** The cases of `cases.jsonl`, in its order. @throws ZodError */
export function readPlantedCases(): readonly PlantedCase[] {
  return readFileSync(new URL('cases.jsonl', FOLDER), 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => caseSchema.parse(JSON.parse(line)))
}

/** The YAML of a pipeline with the edits of a case. @throws Error when an edit does not fit exactly once */
export function definitionOf({ pipeline, edits, id }: Pick<PlantedCase, 'pipeline' | 'edits' | 'id'>): string {
  let yaml = readFileSync(new URL(`pipelines/${pipeline}.yaml`, FOLDER), 'utf8')
  for (const { from, to } of edits) {
    const places = yaml.split(from)
    if (places.length !== 2)
      throw new Error(`${id}: ${JSON.stringify(from)} stands ${places.length - 1} times in ${pipeline}.yaml`)
    yaml = places.join(to)
  }
  return yaml
}

/** What makes the tables that a pipeline reads, in order. A statement ends with a semicolon at the end of a line. */
export function worldOf(pipeline: string): readonly string[] {
  return splitStatements(readFileSync(new URL(`pipelines/${pipeline}.sql`, FOLDER), 'utf8'))
}
