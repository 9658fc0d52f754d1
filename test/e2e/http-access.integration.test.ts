import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { createToken, HttpClient, startServe } from '../support/http-client.ts'
import { runClew } from '../support/run-clew.ts'
import { promptOf } from '../support/scripted-analyst.ts'

const LINKS = 'Explain how many links there are.'
const book = {
  [LINKS]: {
    queries: { 'Count the links.': ['SELECT count() AS links FROM dz_links'] },
    answer: 'There are 64 links [Q1].',
  },
}
const BOTH_ROLES = `version: 1
roles:
  viewer: {tables: [network.*], except: [network.dz_link*]}
  engineer: {tables: [network.*]}
workspaces: []
`
const NARROWED = BOTH_ROLES.replace('engineer: {tables: [network.*]}', 'engineer: {tables: [network.dz_devices]}')
const WITHOUT_ENGINEER = BOTH_ROLES.replace(/ {2}engineer.*\n/, '')

let world: ClewWorld
let folder: string
let env: Readonly<Record<string, string>>
let worker: ClewProcess
let server: ClewProcess
let url: string
let engineer: string

beforeAll(async () => {
  world = await startClewWorld(book)
  folder = await mkdtemp(join(tmpdir(), 'clew-http-access-'))
  env = {
    ...world.env,
    SLACK_BOT_TOKEN: '',
    SLACK_APP_TOKEN: '',
    SLACK_API_URL: '',
    CLEW_CORS_ORIGINS: 'https://app.example.com',
    CLEW_ACCESS_FILE: join(folder, 'access.yaml'),
  }
  await restart(BOTH_ROLES)
  ;({ bearer: engineer } = await createToken(env, '--role', 'engineer'))
})
afterAll(async () => {
  await server?.stop()
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Gives all processes these rules. `unanswered`: the question that is asked while no worker runs. */
async function restart(rules: string, unanswered = async (): Promise<void> => undefined): Promise<void> {
  await Promise.all([worker?.stop(), unanswered()])
  await server?.stop()
  await writeFile(join(folder, 'access.yaml'), rules)
  const [started, answering] = await Promise.all([startServe(env), world.startWorker(env)])
  ;({ process: server, url } = started)
  worker = answering
}

const client = (bearer: string) => new HttpClient(url, bearer)

describe('a token with rules of access', () => {
  it('needs a role that exists', async () => {
    expect(await runClew(['tokens', 'create'], env)).toMatchObject({
      status: 2,
      errors: expect.stringContaining('viewer, engineer'),
    })
    expect(await runClew(['tokens', 'create', '--role', 'chief'], env)).toMatchObject({ status: 2 })
    const { bearer } = await createToken({ ...env, CLEW_ACCESS_FILE: '' })
    expect(await client(bearer).send('GET', '/v1/threads/any')).toMatchObject({
      status: 403,
      body: { code: 'no_role', detail: expect.stringContaining('has no role') },
    })
  })

  it('shows what its role may read, and nothing of a hidden table', async () => {
    const { bearer } = await createToken(env, '--role', 'viewer')
    const planned = () => world.model.callsOf('decompose').map(promptOf)
    const hidden = await client(bearer).ended(await client(bearer).ask(LINKS))
    expect(planned()).toEqual([expect.not.stringContaining('dz_links')])
    expect(hidden.result).toMatchObject({ queries: [{ rows: [], error: expect.any(String) }] })
    const shown = await client(engineer).ended(await client(engineer).ask(LINKS))
    expect(shown).toMatchObject({ status: 'answered', result: { queries: [{ error: null, row_count: 1 }] } })
    expect(planned().at(-1)).toContain('dz_links')
  })

  it('loses what its role may no longer read', async () => {
    const turn = await client(engineer).ask(LINKS, { thread: 'links' })
    await client(engineer).ended(turn)
    let waiting = ''
    await restart(NARROWED, async () => {
      await worker?.stop()
      waiting = await client(engineer).ask(LINKS, { thread: 'links' })
    })
    for (const path of [`/v1/turns/${turn}`, `/v1/runs/${turn}/trace`]) {
      expect(await client(engineer).send('GET', path)).toMatchObject({ status: 403, body: { code: 'access_changed' } })
    }
    const late = await client(engineer).ended(waiting)
    expect(late.result).toMatchObject({ queries: [{ rows: [], error: expect.any(String) }] })
    const { body } = await client(engineer).send('GET', '/v1/threads/links')
    expect(body).toMatchObject({ turns: [{ id: waiting }] })
  })

  it('is refused once its role is gone, and its waiting question gets no answer', async () => {
    await restart(BOTH_ROLES)
    let waiting = ''
    await restart(WITHOUT_ENGINEER, async () => {
      await worker?.stop()
      waiting = await client(engineer).ask(LINKS)
    })
    expect(await client(engineer).send('GET', `/v1/turns/${waiting}`)).toMatchObject({ status: 403, body: { code: 'no_role' } })
    await restart(BOTH_ROLES)
    expect(await client(engineer).send('GET', `/v1/turns/${waiting}`)).toMatchObject({
      status: 403,
      body: { code: 'access_changed' },
    })
  })

  it('may come from listed origins only', async () => {
    const ask = (origin: string) =>
      fetch(`${url}/v1/turns`, { method: 'OPTIONS', headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' } })
    const allowed = (await ask('https://app.example.com')).headers
    expect(allowed.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(allowed.get('access-control-allow-headers')).toContain('Authorization')
    expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
  })
})
