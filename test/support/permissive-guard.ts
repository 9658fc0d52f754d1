import type { TrialReader } from '../../src/pipelines/jobs/trial.ts'

/** A guard that prints each SQL as it is. */
export const PERMISSIVE: Pick<TrialReader, 'guard' | 'scope'> = {
  guard: { check: async sql => ({ verdict: 'allow', canonical: sql, tables: [], functions: [] }) },
  scope: { database: 'default', tables: new Set() },
}
