import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The commit that stands for the last release, as long as there is none. Processes of that release and of this version share one Redis during an upgrade. */
const LAST_RELEASE = '72889cbb84e651d1a9de2b4b254c818fab420aa4'

/** A built copy of the last release. */
export interface LastRelease {
  /** The path of its `clew`. */
  readonly cli: string
  remove(): Promise<void>
}

/**
 * Builds the last release from the history of this checkout, with the packages of this version.
 * @returns undefined if the checkout has no such history
 */
export async function buildLastRelease(): Promise<LastRelease | undefined> {
  const isKnown = await run('git', ['cat-file', '-e', `${LAST_RELEASE}^{commit}`], { cwd: ROOT }).then(
    () => true,
    () => false,
  )
  if (!isKnown) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'clew-release-'))
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', LAST_RELEASE, folder], { cwd: ROOT })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await run(process.execPath, ['scripts/build.mjs'], { cwd: folder })
  return { cli: join(folder, 'bin', 'clew.mjs'), remove: () => rm(folder, { recursive: true, force: true }) }
}
