import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { RunResult } from '../agent/run-result.ts'
import type { Cell } from '../clickhouse/warehouse.ts'
import type { EvalCase } from './eval-case.ts'
import type { CaseReport } from './eval-report.ts'
import type { TranscribedCall } from './transcribing-language-model.ts'

/** The result of one gold query as it was when the run's queries ended. */
export interface GoldResult {
  readonly sql: string
  readonly columns: readonly { readonly name: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

/** Everything about one answered case: the file that a later run of the same cases goes on from, and that the report is made of. */
export interface EvalTranscript {
  /** Of the case and the model: a transcript of another does not count as this case's. */
  readonly fingerprint: string
  readonly case: EvalCase
  readonly report: CaseReport
  /** The first right gold result, or the first. */
  readonly gold: GoldResult | null
  /** Null where the run ended with an error. */
  readonly result: RunResult | null
  readonly calls: readonly TranscribedCall[]
}

/** What tells a transcript of this case and this model from others. */
export function fingerprintOf(evalCase: EvalCase, model: string): string {
  return createHash('sha256')
    .update(JSON.stringify([evalCase, model]))
    .digest('hex')
    .slice(0, 16)
}

/** The transcript in a file, where it is of this fingerprint; undefined where there is none, or half of one. */
export async function readTranscript(path: string, fingerprint: string): Promise<EvalTranscript | undefined> {
  try {
    // Written by this program, in one rename.
    const transcript = JSON.parse(await readFile(path, 'utf8')) as EvalTranscript
    return transcript.fingerprint === fingerprint ? transcript : undefined
  } catch {
    return undefined
  }
}
