import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../../src/main/config.ts'

const serviceSchema = z.object({
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()),
  networks: z.array(z.string()),
  mem_limit: z.string(),
  pids_limit: z.number(),
  cpus: z.number(),
})
const { services, networks, secrets } = z
  .object({
    services: z.object({ bots: serviceSchema, worker: serviceSchema, redis: serviceSchema, clickhouse: serviceSchema }),
    networks: z.record(z.string(), z.object({ internal: z.boolean().optional() }).nullable()),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
  })
  .parse(parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }))

const { variables } = readConfig({})
const secretNames = variables.filter(name => variables.includes(`${name}_FILE`))

describe('docker-compose.yml', () => {
  it('gives no service a secret in its environment, and each its own as files', () => {
    for (const { environment, secrets: own } of [services.bots, services.worker]) {
      // Secrets from .env must not reach the containers as environment variables.
      for (const name of secretNames) expect(environment[name]).toBe('')
      const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'))
      expect(files.map(([, file]) => file.replace('/run/secrets/', '')).sort()).toEqual([...own].sort())
    }
    const bots = services.bots.secrets.join()
    expect(bots).not.toMatch(/clickhouse|reader|writer|admin|openai/)
    expect(services.worker.secrets.join()).not.toMatch(/admin|redis_password/)
  })

  it('separates Redis from the warehouse and from outside', () => {
    expect(services.redis.networks).toEqual(['store'])
    expect(networks.store?.internal).toBe(true)
    expect(services.clickhouse.networks).not.toContain('store')
  })
})

describe('deploy/make-secrets.sh', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clew-secrets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const make = () =>
    execFileSync('sh', ['deploy/make-secrets.sh'], { env: { PATH: process.env.PATH ?? '', CLEW_FOLDER: folder } })
  const read = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8')
  const mode = (name: string) => statSync(join(folder, name)).mode & 0o777

  it('writes every file in docker-compose.yml, creates passwords, and keeps them', () => {
    writeFileSync(join(folder, '.env'), 'OPENAI_API_KEY=sk-1\nCLICKHOUSE_URL=\nSLACK_BOT_TOKEN=xoxb-1\n')
    make()
    expect(readdirSync(join(folder, 'secrets')).sort()).toEqual(Object.keys(secrets).sort())
    expect([read('openai_api_key'), read('slack_bot_token'), read('discord_token')]).toEqual(['sk-1', 'xoxb-1', ''])
    expect(read('redis_url')).toBe(`redis://:${read('redis_password')}@redis:6379`)
    expect(read('clickhouse_url')).toBe(`http://clew_reader:${read('clew_reader_password')}@clickhouse:8123`)
    expect(read('clew_writer_url')).toContain(read('clew_writer_password'))
    expect([mode('secrets'), mode('.env')]).toEqual([0o700, 0o600])
    const password = read('redis_password')
    expect(password).toMatch(/^[0-9a-f]{48}$/)
    make()
    expect(read('redis_password')).toBe(password)
  })

  it('creates no writer for an external ClickHouse', () => {
    writeFileSync(join(folder, '.env'), 'CLICKHOUSE_URL=https://me:secret@mine:8443\n')
    make()
    expect([read('clickhouse_url'), read('clew_writer_url')]).toEqual(['https://me:secret@mine:8443', ''])
  })
})

describe('Dockerfile', () => {
  it('copies only what .dockerignore leaves in the context', () => {
    const context = readFileSync('.dockerignore', 'utf8').split('\n')
    const copied = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    )
    expect(copied.length).toBeGreaterThan(5)
    expect(copied.filter(name => !context.includes(`!${name}`))).toEqual([])
  })
})

const whereSystemdIs = spawnSync('systemd-analyze', ['--version']).status === 0 ? it : it.skip

describe('deploy/systemd', () => {
  whereSystemdIs('has units that systemd understands', () => {
    const folder = join(process.cwd(), 'deploy', 'systemd')
    const units = ['clew-bots.service', 'clew-serve.service', 'clew-worker@8788.service']
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], {
      env: { PATH: process.env.PATH ?? '', SYSTEMD_UNIT_PATH: `${folder}:` },
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
  })
})
