import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { RunResult } from '../agent/run/result.ts'
import type { Cell } from '../warehouse/warehouse.ts'
import type { EvalCase } from './case.ts'
import { GOLD_FAILED } from './judge-run.ts'
import type { CaseReport } from './report.ts'
import type { TranscribedCall } from './transcribing-language-model.ts'

/** The result of a gold query. The case contains this query because its result is known to be correct. */
export interface GoldResult {
  readonly sql: string
  readonly columns: readonly { readonly name: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

/**
 * Everything about one answered case, as its file contains it. A later run reads the file instead of asking again. The report is
 * made from all these files.
 */
export interface EvalTranscript {
  /** A hash of the case, the model's name and the warehouse. If it has changed, the case is asked again. */
  readonly fingerprint: string
  readonly case: EvalCase
  readonly report: CaseReport
  /** The first gold result. Null if the case has no gold query. */
  readonly gold: GoldResult | null
  /** The result of the run. Null if the run failed. */
  readonly result: RunResult | null
  readonly calls: readonly TranscribedCall[]
}

/** The model and the warehouse that a case is asked of. A saved transcript is reused only for the same. */
export interface EvalSubject {
  /** The model's name in the configuration. */
  readonly model: string
  /** The address of the warehouse without its user. Undefined for the cases' own world, and for a port of the caller. */
  readonly warehouse?: string | undefined
}

export function fingerprintOf(evalCase: EvalCase, { model, warehouse }: EvalSubject): string {
  return createHash('sha256')
    .update(JSON.stringify([evalCase, model, ...(warehouse === undefined ? [] : [warehouse])]))
    .digest('hex')
    .slice(0, 16)
}

/**
 * Reads a transcript. Returns undefined if the file is missing or incomplete, or belongs to another version of the case or
 * another model or warehouse, or if a gold query failed in it, because the warehouse may have changed since.
 */
export async function readTranscript(path: string, fingerprint: string): Promise<EvalTranscript | undefined> {
  try {
    // No schema check is needed: only this program writes the file, and only as a whole.
    const transcript = JSON.parse(await readFile(path, 'utf8')) as EvalTranscript
    return transcript.fingerprint === fingerprint && transcript.report.reason !== GOLD_FAILED ? transcript : undefined
  } catch {
    return undefined
  }
}
