import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

// `npm run lock:complete`: adds missing checksums from the registry to the lock file. npm omits those of other platforms' packages if the registry in
// use lacks them. It exits with 1 if one is still missing.

const path = 'package-lock.json'
const lock = JSON.parse(readFileSync(path, 'utf8'))
const left = []
for (const [folder, entry] of Object.entries(lock.packages)) {
  if (folder === '' || entry.integrity !== undefined || entry.link) continue
  const name = `${folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${entry.version}`
  try {
    entry.integrity = execFileSync('npm', ['view', name, 'dist.integrity'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    left.push(name)
  }
}
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
if (left.length > 0) console.log(`The registry does not have:\n${left.join('\n')}`)
process.exitCode = left.length > 0 ? 1 : 0
