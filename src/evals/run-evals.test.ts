import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { EvalCase } from './case.ts'
import { runEvals } from './run-evals.ts'
import { type EvalTranscript, fingerprintOf } from './transcript.ts'

const CASES = Array.from({ length: 30 }, (_, index): EvalCase => {
  return { id: `case-${index}`, question: 'How many?', gold_sql: ['SELECT 1'], ordered: false, tags: [], history: [] }
})
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-run-evals-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('two runs into the same folder both end with complete transcripts', async () => {
  const answer = async (evalCase: EvalCase) =>
    ({
      fingerprint: fingerprintOf(evalCase, { model: 'm' }),
      case: evalCase,
      gold: null,
      result: null,
      calls: [],
    }) as Partial<EvalTranscript>
  const run = () =>
    runEvals(
      CASES,
      {
        folder,
        subject: { model: 'm' },
        concurrency: 4,
        answer: answer as (each: EvalCase) => Promise<EvalTranscript>,
        onTranscript: () => {},
      },
      new AbortController().signal,
    )
  const runs = await Promise.all([run(), run()])
  expect(runs.map(({ length }) => length)).toEqual([30, 30])
  expect((await readdir(folder)).sort()).toEqual(CASES.map(({ id }) => `${id}.json`).sort())
})
