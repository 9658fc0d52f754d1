import { chmod, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createLogger } from '../../base/logger.ts'
import { findRedisServer, type RedisBinaryOptions } from './binary.ts'

let bin: string
let directory: string

beforeEach(async () => {
  bin = await mkdtemp(join(tmpdir(), 'clew-bin-'))
  directory = await mkdtemp(join(tmpdir(), 'clew-data-'))
})
afterEach(async () => {
  for (const folder of [bin, directory]) await rm(folder, { recursive: true })
})

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(bin, name), 0o755)
}

function options(changes: Partial<RedisBinaryOptions> = {}): RedisBinaryOptions {
  return { path: bin, directory, mayInstall: true, logger: createLogger({ level: 'fatal' }), ...changes }
}

/** Creates a fake apt-get that records its calls. When it is told to install a package, it runs the script `installs`. */
async function aptGet(installs: string): Promise<void> {
  await program('apt-get', `echo "$DEBIAN_FRONTEND $*" >> ${bin}/calls\ncase "$*" in *install*) ${installs};; esac`)
}

const CHECKER = (version: string) =>
  `printf '#!/bin/sh\\necho ${version}\\n' > ${'$'}{0%/*}/redis-check-rdb; /bin/chmod 755 ${'$'}{0%/*}/redis-check-rdb`

describe('findRedisServer', () => {
  it('uses an installed server', async () => {
    await program('redis-server', '')
    await aptGet('exit 1')
    expect(await findRedisServer(options())).toBe(join(bin, 'redis-server'))
  })

  it('installs the package that starts no service, and runs its binary under the server’s name', async () => {
    await aptGet(CHECKER('Redis server v=7.0.15'))
    const found = await findRedisServer(options())
    expect(found).toBe(join(directory, 'redis-server'))
    expect(await readlink(found)).toBe(join(bin, 'redis-check-rdb'))
    const calls = (await readFile(join(bin, 'calls'), 'utf8')).trimEnd().split('\n')
    expect(calls).toEqual(['noninteractive update', expect.stringMatching(/^noninteractive .*install --yes .*redis-tools$/)])
  })

  it.each([
    ['nothing may be installed', async () => aptGet('exit 0'), { mayInstall: false }],
    ['there is no apt-get', async () => undefined, {}],
    ['apt-get fails', async () => aptGet('exit 100'), {}],
    ['the package holds no server', async () => aptGet('exit 0'), {}],
    ['what it holds is something else', async () => aptGet(CHECKER('RDB checker')), {}],
  ])('says what to install if %s', async (_, prepare, changes) => {
    await prepare()
    await expect(findRedisServer(options(changes))).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/Debian.*macOS.*REDIS_URL/),
    })
  })
})
