import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { RunResult } from '../agent/run/result.ts'
import type { Cell } from '../warehouse/warehouse.ts'
import type { EvalCase } from './case.ts'
import type { CaseReport } from './report.ts'
import type { TranscribedCall } from './transcribing-language-model.ts'

/** The result of a gold query, which the case contains as a query with a right result. */
export interface GoldResult {
  readonly sql: string
  readonly columns: readonly { readonly name: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

/**
 * Everything about one answered case. A later run reads this file instead of asking again. The report is made from all these files.
 */
export interface EvalTranscript {
  /** Identifies the case and the model. If the fingerprint differs, the case is asked again. */
  readonly fingerprint: string
  readonly case: EvalCase
  readonly report: CaseReport
  /** The first gold result. Null if the case has no gold query. */
  readonly gold: GoldResult | null
  /** The result of the run. Null if the run failed. */
  readonly result: RunResult | null
  readonly calls: readonly TranscribedCall[]
}

export function fingerprintOf(evalCase: EvalCase, model: string): string {
  return createHash('sha256')
    .update(JSON.stringify([evalCase, model]))
    .digest('hex')
    .slice(0, 16)
}

/** Reads a transcript. Returns undefined if the file is missing or incomplete, or has another fingerprint. */
export async function readTranscript(path: string, fingerprint: string): Promise<EvalTranscript | undefined> {
  try {
    // The file needs no check by a schema: this program writes it, and only as a whole.
    const transcript = JSON.parse(await readFile(path, 'utf8')) as EvalTranscript
    return transcript.fingerprint === fingerprint ? transcript : undefined
  } catch {
    return undefined
  }
}
