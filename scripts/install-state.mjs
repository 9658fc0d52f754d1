// Detects whether the installed packages match package-lock.json, and whether dist/ is newer than src/.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const INSTALL_STAMP = 'node_modules/.clew-lock-hash'

export function lockHash() {
  return createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
}

export function isInstalled() {
  try {
    return readFileSync(INSTALL_STAMP, 'utf8') === lockHash()
  } catch {
    return false
  }
}

export function isCompiled() {
  if (!existsSync('dist')) return false
  const compiled = newest('dist')
  // The child processes of tests are compiled too, but an installed package has no tests.
  return ['src', 'test/support'].every(folder => !existsSync(folder) || newest(folder) <= compiled)
}

/** Returns the modification time of the newest file below a folder. */
function newest(folder) {
  let time = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) time = Math.max(time, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs)
  }
  return time
}
