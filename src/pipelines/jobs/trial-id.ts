import { randomBytes } from 'node:crypto'
import { PIPELINES_LIMITS } from '../limits.ts'

/** Matches the id of a temporary job: the time of its start in base 36, and random digits. No job of the store has such an id. */
const TRIAL_ID = /^trial_([0-9a-z]{1,12})_[0-9a-f]{16}$/

/** @param now Unix time in milliseconds */
export function newTrialId(now: number): string {
  return `trial_${now.toString(36)}_${randomBytes(8).toString('hex')}`
}

/** Whether a temporary job began so long ago that no process can still run it. Its tables are then left from a crash. */
export function isLostTrial(id: string, now: number): boolean {
  const began = TRIAL_ID.exec(id)?.[1]
  return began !== undefined && now - Number.parseInt(began, 36) > PIPELINES_LIMITS.trial.lostMs
}
