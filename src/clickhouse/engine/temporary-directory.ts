import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../base/errors.ts'
import { isAlive } from '../../base/is-alive.ts'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import { ENGINE_PATHS, engineStateSchema } from './options.ts'

const PREFIX = 'clew-engine-'

/**
 * Creates a folder for a private engine, with this process's id in its name. Also removes old folders, left behind by engines
 * that were killed together with their clients.
 */
export async function temporaryDirectory(parent: string = tmpdir()): Promise<string> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name)
    if (name.startsWith(PREFIX) && (await isLeftOver(path))) await rm(path, { recursive: true, force: true })
  }
  return mkdtemp(join(parent, `${PREFIX}${process.pid}-`))
}

async function isLeftOver(path: string): Promise<boolean> {
  const client = Number(/clew-engine-(\d+)-/.exec(path)?.[1])
  if (!Number.isInteger(client) || isAlive(client)) return false
  try {
    const { mtimeMs, uid } = await stat(path)
    if (uid !== process.getuid?.() || Date.now() - mtimeMs < CLICKHOUSE_LIMITS.engine.leftOverMs) return false
    const state = engineStateSchema.safeParse(JSON.parse(await readFile(join(path, ENGINE_PATHS.state), 'utf8'))).data
    return state === undefined || !isAlive(state.pid)
  } catch (error) {
    return errorCode(error) === 'ENOENT'
  }
}
