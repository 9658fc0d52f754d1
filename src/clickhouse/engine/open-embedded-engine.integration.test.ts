import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { ConfigurationError } from '../../base/errors.ts'
import { isAlive } from '../../base/is-alive.ts'
import { createLogger } from '../../base/logger.ts'
import { compiledEntry, packageFile } from '../../base/package-files.ts'
import { openWarehouseOn } from '../open-warehouse.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from './open-embedded-engine.ts'
import { ENGINE_PATHS } from './options.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const signal = () => AbortSignal.timeout(25_000)
const toClose: EmbeddedEngine[] = []
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-test-engine-'))
})
afterEach(async () => {
  await Promise.all(toClose.splice(0).map(engine => engine.close()))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function open(directory: string): Promise<EmbeddedEngine> {
  const engine = await openEmbeddedEngine({ directory }, signal())
  toClose.push(engine)
  return engine
}

async function ask(engine: EmbeddedEngine, sql: string, as: 'reader' | 'writer' = 'writer'): Promise<string> {
  const { url, username, password } = (await engine.endpoint(signal()))[as]
  const response = await fetch(url, {
    method: 'POST',
    body: sql,
    headers: { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text.trim()
}

async function pidOf(engine: EmbeddedEngine): Promise<number> {
  return (await engine.endpoint(signal())).pid
}

async function ended(pid: number): Promise<void> {
  while (isAlive(pid)) await delay(20, undefined, { signal: signal() })
}

/** Starts a process that opens an engine, prints the engine's process id, and then runs until it is killed. */
async function holder(directory: string): Promise<{ readonly process: ChildProcess; readonly enginePid: number }> {
  const script = `
    const { openEmbeddedEngine } = await import(${JSON.stringify(compiledEntry('test/open-embedded-engine'))})
    const engine = await openEmbeddedEngine({ directory: ${JSON.stringify(directory)} }, new AbortController().signal)
    console.log((await engine.endpoint(new AbortController().signal)).pid, engine.directory)
    setInterval(() => {}, 1000)`
  const process_ = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(process_.stdout, 'data', { signal: signal() })) as [Buffer]
  return { process: process_, enginePid: Number(line.toString().split(' ')[0]) }
}

describe('a folder made by chDB itself', () => {
  it('opens as it is, and remains usable for chDB', async () => {
    const directory = join(folder, 'of-chdb')
    // Runs statements in chDB in a separate process, and then kills this process. An ordinary exit may crash, even after the work is done.
    const withChdb = (...statements: string[]) =>
      spawnSync(process.execPath, [
        '-e',
        `const { Session } = require('chdb'); const session = new Session(${JSON.stringify(directory)})
        for (const sql of ${JSON.stringify(statements)}) require('fs').writeSync(1, String(session.query(sql, 'CSV')))
        process.kill(process.pid, 'SIGKILL')`,
      ]).stdout.toString()
    withChdb(
      'CREATE TABLE trips (city String) ENGINE = MergeTree ORDER BY city',
      "INSERT INTO trips VALUES ('Bonn')",
      'CREATE DATABASE shop',
      'CREATE TABLE shop.orders ENGINE = MergeTree ORDER BY id AS SELECT 7 AS id',
    )
    const engine = await open(directory)
    expect(await ask(engine, 'SELECT city FROM default.trips', 'reader')).toBe('Bonn')
    expect(await ask(engine, 'SELECT id FROM shop.orders', 'reader')).toBe('7')
    await ask(engine, "INSERT INTO trips VALUES ('Essen')")
    const pid = await pidOf(engine)
    await engine.close()
    await ended(pid)
    expect(withChdb('SELECT count() FROM trips')).toBe('2\n')
  })
})

describe('sharing', () => {
  it('joins the engine of a folder, and sees the same tables', async () => {
    const directory = join(folder, 'shared')
    const first = await open(directory)
    const second = await open(directory)
    expect(await pidOf(second)).toBe(await pidOf(first))
    await ask(first, 'CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a')
    await ask(first, 'INSERT INTO t VALUES (7)')
    expect(await ask(second, 'SELECT a FROM t', 'reader')).toBe('7')
  })

  it('ends with one engine when many processes start together', async () => {
    const directory = join(folder, 'race')
    const holders = await Promise.all([holder(directory), holder(directory), holder(directory), open(directory)])
    const pids = await Promise.all(holders.map(one => ('enginePid' in one ? one.enginePid : pidOf(one))))
    expect(new Set(pids).size).toBe(1)
    for (const one of holders) if ('process' in one) one.process.kill('SIGKILL')
  })

  it('keeps data after the engine stops', async () => {
    const directory = join(folder, 'kept')
    const first = await openEmbeddedEngine({ directory }, signal())
    await ask(first, 'CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a')
    await ask(first, 'INSERT INTO t VALUES (9)')
    const pid = await pidOf(first)
    await first.close()
    await ended(pid)
    const second = await open(directory)
    expect(await ask(second, 'SELECT a FROM t')).toBe('9')
    expect(await pidOf(second)).not.toBe(pid)
  })
})

describe('lifetime', () => {
  it('ends shortly after its last client is killed, and not before', async () => {
    const directory = join(folder, 'killed-clients')
    const one = await holder(directory)
    const two = await holder(directory)
    expect(two.enginePid).toBe(one.enginePid)
    one.process.kill('SIGKILL')
    await once(one.process, 'exit')
    await delay(2_500)
    expect(isAlive(one.enginePid)).toBe(true)
    two.process.kill('SIGKILL')
    await ended(one.enginePid)
  })

  it('removes a private folder even if its client was killed', async () => {
    const client = await holder('memory')
    const { directory } = JSON.parse(argumentOf(client.enginePid)) as { directory: string }
    expect((await stat(directory)).isDirectory()).toBe(true)
    client.process.kill('SIGKILL')
    await ended(client.enginePid)
    await expect(stat(directory)).rejects.toThrow()
  })

  it('has removed a private folder when close returns', async () => {
    const engine = await openEmbeddedEngine({ directory: 'memory' }, signal())
    const pid = await pidOf(engine)
    await engine.close()
    expect(isAlive(pid)).toBe(false)
    await expect(stat(engine.directory)).rejects.toThrow()
  })

  it('ends on SIGTERM while a query runs', async () => {
    const engine = await open(join(folder, 'terminated'))
    const pid = await pidOf(engine)
    const query = ask(
      engine,
      'SELECT count() FROM numbers(1000000) AS a, numbers(1000000) AS b WHERE sipHash64(a.number, b.number) = 1',
    )
    query.catch(() => {})
    const running = "SELECT count() FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%system.processes%'"
    while ((await ask(engine, running)) === '0') await delay(20)
    process.kill(pid, 'SIGTERM')
    await ended(pid)
    await expect(query).rejects.toThrow()
  })

  it('survives the signal of its opening', async () => {
    const opening = new AbortController()
    const engine = await openEmbeddedEngine({ directory: join(folder, 'signal') }, opening.signal)
    toClose.push(engine)
    const pid = await pidOf(engine)
    opening.abort()
    await delay(2_500)
    expect(await pidOf(engine)).toBe(pid)
    expect(isAlive(pid)).toBe(true)
  })

  it('removes the remains of killed engines and clients, but no young or living ones', async () => {
    const parent = join(folder, 'sweep')
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    const old = new Date(Date.now() - 48 * 60 * 60 * 1000)
    for (const name of [`clew-engine-${dead}-old`, `clew-engine-${process.pid}-mine`, `clew-engine-${dead}-young`, 'other']) {
      await mkdir(join(parent, name, 'data'), { recursive: true })
      if (!name.endsWith('young')) await utimes(join(parent, name), old, old)
    }
    const made = await temporaryDirectory(parent)
    expect((await readdir(parent)).sort()).toEqual(
      [`clew-engine-${process.pid}-mine`, `clew-engine-${dead}-young`, made.slice(parent.length + 1), 'other'].sort(),
    )
  })
})

describe('a crash', () => {
  it.each(['memory', 'folder'])('of the engine (%s) is survived: the next query works, with the data', async kind => {
    const engine = await open(kind === 'memory' ? 'memory' : join(folder, 'crash'))
    const warehouse = await openWarehouseOn(engine, {
      database: 'default',
      maxBytes: 1_000_000,
      timeoutMs: 10_000,
      logger: createLogger({ level: 'silent' }),
    })
    await warehouse.write({ sql: 'CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a' }, signal())
    await warehouse.write({ sql: 'INSERT INTO t VALUES (5)' }, signal())
    const before = await pidOf(engine)
    process.kill(before, 'SIGKILL')
    expect((await warehouse.read({ sql: 'SELECT a FROM t' }, signal())).rows).toEqual([[5]])
    expect(await pidOf(engine)).not.toBe(before)
    await warehouse.close()
  })

  it('that leaves state and lock behind is recovered', async () => {
    const directory = join(folder, 'left')
    const client = await holder(directory)
    process.kill(client.enginePid, 'SIGKILL')
    client.process.kill('SIGKILL')
    await ended(client.enginePid)
    expect((await stat(join(directory, ENGINE_PATHS.state))).isFile()).toBe(true)
    const engine = await open(directory)
    expect(await ask(engine, 'SELECT 1')).toBe('1')
    expect(await pidOf(engine)).not.toBe(client.enginePid)
  })

  it('does not reveal passwords to a program that takes the port', async () => {
    const directory = join(folder, 'port')
    const first = await openEmbeddedEngine({ directory }, signal())
    const state = JSON.parse(await readFile(join(directory, ENGINE_PATHS.state), 'utf8')) as {
      passwords: { owner: string; reader: string }
    }
    const pid = await pidOf(first)
    await first.close()
    await ended(pid)
    const heard: string[] = []
    const impostor = createServer((request, response) => {
      heard.push(`${request.url} ${JSON.stringify(request.headers)}`)
      response.end('0'.repeat(64))
    }).listen(0, '127.0.0.1')
    await once(impostor, 'listening')
    const { port } = impostor.address() as AddressInfo
    await writeFile(join(directory, ENGINE_PATHS.state), JSON.stringify({ ...state, port }))
    const engine = await open(directory)
    expect((await engine.endpoint(signal())).reader.url).not.toContain(`:${port}`)
    expect(heard.length).toBeGreaterThan(0)
    const secrets = [state.passwords.owner, state.passwords.reader].flatMap(secret => [
      secret,
      Buffer.from(`owner:${secret}`).toString('base64'),
    ])
    expect(heard.filter(line => secrets.some(secret => line.includes(secret)))).toEqual([])
    impostor.closeAllConnections()
    impostor.close()
  })
})

describe('secrets', () => {
  it('are readable by their owner only, and new at each start', async () => {
    const directory = join(folder, 'secrets')
    const passwords = new Set<string>()
    for (let start = 0; start < 2; start += 1) {
      const engine = await openEmbeddedEngine({ directory }, signal())
      const { pid, reader, writer } = await engine.endpoint(signal())
      for (const { password } of [reader, writer]) passwords.add(password)
      expect((await stat(join(directory, ENGINE_PATHS.state))).mode & 0o777).toBe(0o600)
      expect((await stat(directory)).mode & 0o777).toBe(0o700)
      expect(argumentOf(pid)).not.toContain(writer.password)
      await engine.close()
      await ended(pid)
    }
    expect(passwords.size).toBe(4)
  })

  it("of this process are not in the engine's environment", async () => {
    const engine = await open('memory')
    const environment = await readFile(`/proc/${await pidOf(engine)}/environ`, 'utf8').catch(() => undefined)
    if (environment === undefined) return
    expect(
      environment
        .split('\0')
        .map(line => line.split('=')[0])
        .filter(Boolean)
        .sort(),
    ).toEqual(['JE_MALLOC_CONF', 'PWD', 'TZ', 'UV_THREADPOOL_SIZE'])
  })
})

describe('an impossible start', () => {
  it('is reported for a folder that is a file', async () => {
    const path = join(folder, 'a-file')
    await writeFile(path, '')
    await expect(openEmbeddedEngine({ directory: path }, signal())).rejects.toThrow(ConfigurationError)
    await expect(openEmbeddedEngine({ directory: path }, signal())).rejects.toThrow(
      /CLICKHOUSE_URL: .*a-file.*Use a folder that this user may write/,
    )
  })

  const asRoot = process.getuid?.() === 0
  ;(asRoot ? it.skip : it)('is told for a folder that cannot be written', async () => {
    const path = join(folder, 'closed')
    await mkdir(path)
    await chmod(path, 0o500)
    await expect(openEmbeddedEngine({ directory: path }, signal())).rejects.toThrow(/EACCES/)
  })

  it('is reported on platforms without a chDB binary', async () => {
    const elsewhere = join(folder, 'no-chdb')
    await cp(packageFile('dist'), join(elsewhere, 'dist'), { recursive: true })
    await cp(packageFile('package.json'), join(elsewhere, 'package.json'))
    const options = { directory: join(elsewhere, 'data'), temporary: false, readerSeconds: 30 }
    const { stdout } = spawnSync(
      process.execPath,
      [join(elsewhere, 'dist/clickhouse/engine/engine-process.js'), JSON.stringify(options)],
      {
        encoding: 'utf8',
      },
    )
    expect(JSON.parse(stdout)).toEqual({
      outcome: 'failed',
      message: expect.stringMatching(/^chDB cannot be loaded on \w+-\w+: /),
    })
  })

  it('starts nothing for a caller that has given up', async () => {
    const directory = join(folder, 'aborted')
    await expect(openEmbeddedEngine({ directory }, AbortSignal.abort())).rejects.toThrow()
    await expect(stat(directory)).rejects.toThrow()
  })
})

function argumentOf(pid: number): string {
  return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.replace(/^.*?engine-process\.js /, '')
}
