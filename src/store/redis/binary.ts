import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, realpath, rename, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigurationError } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'

const run = promisify(execFile)

const HOW_TO_INSTALL =
  'install it (Debian and Ubuntu: apt-get install redis-server; macOS: brew install redis; Fedora: dnf install redis; Alpine: apk add redis), ' +
  'or set REDIS_URL to a Redis that runs already'

export interface RedisBinaryOptions {
  /** The value of the variable PATH. Programs are searched for in its folders. */
  readonly path: string
  /** The folder that gets a link to an installed binary. */
  readonly directory: string
  /** Whether this program is allowed to install a missing server. It can do so only as root, and only with apt-get. */
  readonly mayInstall: boolean
  readonly logger: Logger
}

/**
 * Returns the path of the `redis-server` to run. If it is missing, installs Debian's package `redis-tools`, if this is allowed.
 * The package `redis-server` is avoided, because it would start a service on port 6379, now and at every boot. `redis-tools`
 * starts nothing, but contains the program `redis-check-rdb`. The same binary acts as the server if it is started under the name
 * `redis-server`.
 * @throws ConfigurationError that names the package to install
 */
export async function findRedisServer(options: RedisBinaryOptions): Promise<string> {
  const found = await findOnPath('redis-server', options.path)
  if (found !== undefined) return found
  // An earlier start may have installed `redis-tools`, which has the server's binary under this name.
  if ((await findOnPath('redis-check-rdb', options.path)) !== undefined) return linkServer(options)
  const aptGet = await findOnPath('apt-get', options.path)
  if (!options.mayInstall || aptGet === undefined)
    throw new ConfigurationError(`redis-server is not installed: ${HOW_TO_INSTALL}.`)

  options.logger.info('installing redis (Debian package redis-tools, which starts no service)')
  await installRedisTools(aptGet, options.path)
  return (await findOnPath('redis-server', options.path)) ?? linkServer(options)
}

async function installRedisTools(aptGet: string, path: string): Promise<void> {
  const install = ['-o', 'DPkg::Lock::Timeout=60', 'install', '--yes', '--no-install-recommends', 'redis-tools']
  const environment = { PATH: path, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    await run(aptGet, ['update'], { env: environment, timeout: 120_000 })
    await run(aptGet, install, { env: environment, timeout: 300_000 })
  } catch (error) {
    throw new ConfigurationError(`redis-server is missing and apt-get could not install it: ${HOW_TO_INSTALL}.`, { cause: error })
  }
}

async function linkServer(options: RedisBinaryOptions): Promise<string> {
  const checker = await findOnPath('redis-check-rdb', options.path)
  if (checker === undefined) throw new ConfigurationError(`The package redis-tools holds no server here: ${HOW_TO_INSTALL}.`)
  await mkdir(options.directory, { recursive: true, mode: 0o700 })
  const link = join(options.directory, 'redis-server')
  // Several processes may make the link at once, so each makes it under a name of its own and then renames it.
  const draft = `${link}.${randomUUID()}`
  await symlink(await realpath(checker), draft)
  await rename(draft, link)
  const version = await run(link, ['--version']).catch(() => ({ stdout: '' }))
  if (!version.stdout.startsWith('Redis server')) {
    throw new ConfigurationError(`The package redis-tools holds no server here: ${HOW_TO_INSTALL}.`)
  }
  return link
}

export async function findOnPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue
    const file = join(folder, name)
    const executable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (executable) return file
  }
  return undefined
}
