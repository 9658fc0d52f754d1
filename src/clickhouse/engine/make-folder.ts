import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../../base/errors.ts'

/**
 * Creates a private folder and its missing parents. Node's option `recursive` is not used: it retries forever if a parent accepts
 * no folders (`/proc`).
 * @throws the system's error if a folder cannot be created
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}
