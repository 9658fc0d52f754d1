import { errorCode } from './errors.ts'

/** Whether a process with this id exists, no matter which user runs it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
