import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { TEST_STATE_KEY } from '../../../test/support/state-key.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { createLogger } from '../../base/logger.ts'
import { compiledEntry } from '../../base/package-files.ts'
import { findOnPath, findRedisServer } from './binary.ts'
import type { RedisConnection } from './client.ts'
import { closeRedis, connectRedis } from './connection.ts'
import { type EmbeddedRedis, startEmbeddedRedis } from './embedded-redis.ts'
import { readServerRecord } from './server-record.ts'

const logger = createLogger({ level: 'fatal' })
const path = process.env.PATH ?? ''
let directory: string
let open: (EmbeddedRedis | RedisConnection)[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-embedded-'))
  open = []
})
afterEach(async () => {
  for (const opened of open.reverse()) await ('url' in opened ? opened.close() : closeRedis(opened))
  await rm(directory, { recursive: true, force: true })
})

async function start(options: { readonly path?: string } = {}): Promise<EmbeddedRedis> {
  const server = await startEmbeddedRedis({ directory, path, logger, ...options })
  open.push(server)
  return server
}

async function connect(server: EmbeddedRedis): Promise<RedisConnection> {
  const redis = await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'worker', logger, requireAof: true })
  open.push(redis)
  return redis
}

async function serverPid(redis: RedisConnection): Promise<number> {
  return Number(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1])
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function untilEnded(pid: number, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (isRunning(pid)) {
    if (performance.now() > deadline) throw new Error(`process ${pid} still runs after ${timeoutMs} ms`)
    await wait(20)
  }
}

/** Starts a process that starts the folder's server or joins it, and then waits until it is killed. */
async function startOwner(): Promise<ChildProcess> {
  const entry = compiledEntry('test/embedded-redis')
  const script = `
    const { startEmbeddedRedis } = await import(${JSON.stringify(entry)})
    await startEmbeddedRedis({ directory: ${JSON.stringify(directory)}, path: process.env.PATH, logger: console })
    process.stdout.write('started')`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (owner.stdout !== null) await once(owner.stdout, 'data')
  return owner
}

describe('startEmbeddedRedis', () => {
  it('names an unwritable folder, and gives advice', async () => {
    const file = join(directory, 'file')
    await writeFile(file, '')
    const starting = startEmbeddedRedis({ directory: join(file, 'redis'), path, logger })
    await expect(starting).rejects.toThrow(ConfigurationError)
    await expect(starting).rejects.toThrow(/file\/redis, which this user cannot write: ENOTDIR.*set REDIS_URL/)
  })

  it('starts an append-only server without eviction, behind a password that only its owner can read', async () => {
    const server = await start()
    await connect(server)
    expect(server.url).toMatch(/^redis:\/\/:[\w-]{32}@127\.0\.0\.1:\d+\/0$/)
    for (const file of ['redis.conf', 'server.json']) expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600)
    await expect(
      connectRedis({ stateKey: TEST_STATE_KEY, url: server.url.replace(/:[\w-]{32}@/, ''), role: 'worker', logger }),
    ).rejects.toThrow('refuses')
  })

  it('is joined by later callers for the same folder, and lives until the last has closed', async () => {
    const [first, second] = await Promise.all([start(), start()])
    expect(second.url).toBe(first.url)
    const pid = await serverPid(await connect(second))
    await first.close()
    expect(await serverPid(await connect(second))).toBe(pid)
    await second.close()
    expect(isRunning(pid)).toBe(false)
    expect(await readServerRecord(directory)).toBeUndefined()
  })

  it("neither trusts nor sends its password to another program on a dead server's port", async () => {
    const heard: string[] = []
    const foreign = createServer(socket => {
      socket.on('data', data => {
        heard.push(String(data))
        // The fake server accepts every password.
        socket.write('+OK\r\n')
      })
      socket.on('error', () => undefined)
    }).listen(0, '127.0.0.1')
    await once(foreign, 'listening')
    const { port } = foreign.address() as AddressInfo
    const password = 'a-password-of-before'
    const record = { claim: 'c', supervisorPid: 2 ** 22 + 1, claimedAt: Date.now(), state: 'serving', port, password }
    await writeFile(join(directory, 'server.json'), JSON.stringify(record), { mode: 0o600 })
    try {
      const server = await start()
      expect(new URL(server.url).port).not.toBe(String(port))
      await (await connect(server)).set('mine', 'yes')
      expect(heard).toEqual([])
    } finally {
      foreign.close()
    }
  })

  it('serves a folder with a long path', async () => {
    directory = join(directory, 'x'.repeat(120))
    await (await connect(await start())).set('kept', 'yes')
  })

  ;(process.platform === 'linux' ? it : it.skip)('runs without the variables of whoever started it', async () => {
    process.env.CLEW_TEST_SECRET = 'not for a server'
    try {
      const pid = await serverPid(await connect(await start()))
      const supervisor = (await readServerRecord(directory))?.supervisorPid
      for (const each of [pid, supervisor]) {
        const names = (await readFile(`/proc/${each}/environ`, 'utf8')).split('\0').map(variable => variable.split('=')[0])
        // On Linux, a running Redis overwrites its environment with its process title. So only the supervisor's environment still
        // shows PATH.
        if (each === supervisor) expect(names).toContain('PATH')
        expect(names).not.toContain('CLEW_TEST_SECRET')
        expect(names).not.toContain('HOME')
      }
    } finally {
      delete process.env.CLEW_TEST_SECRET
    }
  })

  it('keeps its data across a restart', async () => {
    const first = await start()
    await (await connect(first)).set('kept', 'yes')
    await first.close()
    expect(await (await connect(await start())).get('kept')).toBe('yes')
  })

  it('restarts on its data after the server was killed', async () => {
    const first = await start()
    const redis = await connect(first)
    await redis.set('kept', 'yes')
    process.kill(await serverPid(redis), 'SIGKILL')
    await once(redis, 'close')
    redis.disconnect()
    expect(await (await connect(await start())).get('kept')).toBe('yes')
  })

  it('restarts after the server and its supervisor were killed, even if another program has their address', async () => {
    const redis = await connect(await start())
    await redis.set('kept', 'yes')
    const pid = await serverPid(redis)
    const record = await readServerRecord(directory)
    process.kill(record?.supervisorPid ?? 0, 'SIGKILL')
    process.kill(pid, 'SIGKILL')
    redis.disconnect()
    await untilEnded(pid, 5000)
    expect(await readServerRecord(directory)).toEqual(record)
    expect(await (await connect(await start())).get('kept')).toBe('yes')
  })

  it('ends when all its users were killed', async () => {
    const owner = await startOwner()
    const joined = await start()
    const pid = await serverPid(await connect(joined))
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await wait(3500)
    expect(isRunning(pid)).toBe(true)
    const other = await startOwner()
    for (const opened of open.splice(0).reverse()) await ('url' in opened ? opened.close() : closeRedis(opened))
    expect(isRunning(pid)).toBe(true)
    other.kill('SIGKILL')
    await untilEnded(pid, 6000)
  })

  it('ends when its folder is removed', async () => {
    const redis = await connect(await start())
    const pid = await serverPid(redis)
    const supervisor = (await readServerRecord(directory))?.supervisorPid ?? 0
    await rm(join(directory, 'server.json'))
    await untilEnded(pid, 5000)
    await untilEnded(supervisor, 5000)
    redis.disconnect()
  })

  it('ends with its supervisor if the system can tie them', async () => {
    const redis = await connect(await start())
    const pid = await serverPid(redis)
    redis.disconnect()
    process.kill((await readServerRecord(directory))?.supervisorPid ?? 0, 'SIGKILL')
    await untilEnded(pid, 5000)
  })

  it('gets another supervisor if the system cannot', async () => {
    const bin = await mkdtemp(join(tmpdir(), 'clew-bin-'))
    const server = await findRedisServer({ path, directory: bin, mayInstall: false, logger })
    if (server !== join(bin, 'redis-server')) await symlink(server, join(bin, 'redis-server'))
    const first = await start({ path: bin })
    const pid = await serverPid(await connect(first))
    process.kill((await readServerRecord(directory))?.supervisorPid ?? 0, 'SIGKILL')
    const second = await start({ path: bin })
    expect(second.url).toBe(first.url)
    for (const opened of open.splice(0)) await ('url' in opened ? opened.close() : closeRedis(opened))
    await untilEnded(pid, 6000)
    await rm(bin, { recursive: true })
  })

  it('survives lost connections', async () => {
    const server = await start()
    const redis = await connect(server)
    const pid = await serverPid(redis)
    await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await wait(3500)
    expect(await serverPid(redis)).toBe(pid)
    await server.close()
    expect(isRunning(pid)).toBe(false)
  })

  it('says what to install if there is no server', async () => {
    await expect(start({ path: '' })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/apt-get install redis-server.*brew install redis.*REDIS_URL/),
    })
  })

  it('explains why the server did not start', async () => {
    const bin = await mkdtemp(join(tmpdir(), 'clew-bin-'))
    await symlink((await findOnPath('false', path)) ?? '', join(bin, 'redis-server'))
    await expect(start({ path: bin })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('did not start'),
    })
    expect(await readFile(join(directory, 'redis.conf'), 'utf8')).toContain('maxmemory-policy noeviction')
    await rm(bin, { recursive: true })
  })
})
