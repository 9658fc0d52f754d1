// What tells whether the installed packages are those of package-lock.json.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

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
