import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { splitStatements } from '../../src/clickhouse/demo/world-statements.ts'
import { PRESERVATION_MODES } from '../../src/pipelines/jobs/definition.ts'

const cellSchema = z.union([z.string(), z.number(), z.null()])

const caseSchema = z.strictObject({
  /** Says nothing about the fault, since the investigator may see it. */
  id: z.string().regex(/^p[1-9]-[a-z]$/),
  /** Its definition and data: `pipelines/<name>.yaml` and `.sql`. */
  pipeline: z.string().regex(/^[a-z]+$/),
  /** The kind of fault, as a bug report would name it. */
  fault: z.string(),
  /** Inputs, target and SQL after the run do not suffice to prove the cause. */
  needs_replay: z.boolean(),
  preservation: z.enum(PRESERVATION_MODES),
  /** Changes to the definition. Each `from` occurs in it exactly once. */
  edits: z.array(z.strictObject({ from: z.string(), to: z.string() })).default([]),
  /** Statements that run on the data before the job. */
  before: z.array(z.string()).default([]),
  /** Statements that run on the data after the job, before the question. */
  after: z.array(z.string()).default([]),
  /** The question of someone who sees only the target. */
  question: z.string(),
  /** A query whose single row is `wrong` with the fault and `right` without it. */
  symptom: z.strictObject({ sql: z.string(), wrong: z.array(cellSchema), right: z.array(cellSchema) }),
  root_cause: z.string(),
  /** Facts that an answer must state, in any words, to count as right. */
  key_facts: z.array(z.string()).min(2),
})

/** A pipeline with one fault and its documented cause. */
export type PlantedCase = z.infer<typeof caseSchema>

const FOLDER = new URL('./', import.meta.url)

/** Reads the cases of `cases.jsonl` in order. @throws ZodError */
export function readPlantedCases(): readonly PlantedCase[] {
  return readFileSync(new URL('cases.jsonl', FOLDER), 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => caseSchema.parse(JSON.parse(line)))
}

/** Returns a pipeline's YAML with a case's edits. @throws Error if an edit does not match exactly once */
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

/** Returns the statements that create a pipeline's input. A statement ends with a semicolon at the end of a line. */
export function worldOf(pipeline: string): readonly string[] {
  return splitStatements(readFileSync(new URL(`pipelines/${pipeline}.sql`, FOLDER), 'utf8'))
}
