import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { nodeErrorCode } from '../node-error-code.ts'

/**
 * Makes a folder of this user's own, and those above it that are missing. Not by Node's `recursive`: where a parent takes no folders (`/proc`), that one
 * tries for ever.
 * @throws the system's error when it cannot be made
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const code = nodeErrorCode(error)
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}
