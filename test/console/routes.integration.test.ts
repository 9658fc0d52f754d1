import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CONSOLE_ROUTES, type Who } from '../../src/console/routes.ts'
import { runClew } from '../support/run-clew.ts'
import { ConsoleClient, type ConsoleWorld, startConsoleWorld } from './world.ts'

const RULES = `version: 1
roles:
  asker: {tables: [network.*]}
  definer: {tables: [network.*], define: true}
  operator: {tables: [network.*], operate: true}
workspaces:
  - platform: slack
    workspace: T1000000
    users: {U1ASKER: asker, U1DEFINER: definer, U1OPERATOR: operator}
`
const SLACK = { workspace: 'T1000000' }
const ROUTES = Object.entries(CONSOLE_ROUTES).map(([route, asks]) => [route, typeof asks === 'string' ? asks : asks[0]] as const)

let world: ConsoleWorld
let callers: Readonly<Record<string, ConsoleClient>>

beforeAll(async () => {
  world = await startConsoleWorld({}, { rules: () => RULES })
  const nobody = new ConsoleClient(world.url)
  const signedOut = await world.signIn({ person: 'slack/U1ASKER', ...SLACK })
  await signedOut.send('DELETE', '/console/api/session')
  const operator = await world.signIn({ person: 'slack/U1OPERATOR', ...SLACK })
  const made = await runClew(['tokens', 'create', '--role', 'operator'], world.env)
  callers = {
    nobody,
    token: nobody.with({ Authorization: `Bearer ${made.output.trim()}` }),
    stranger: await world.signIn({ person: 'slack/U1STRANGER', ...SLACK }),
    forged: nobody.with({ Cookie: `clew_session=${'A'.repeat(43)}` }),
    revoked: signedOut,
    asker: await world.signIn({ person: 'slack/U1ASKER', ...SLACK }),
    definer: await world.signIn({ person: 'slack/U1DEFINER', ...SLACK }),
    operator,
    cross_site: operator.with({ 'Sec-Fetch-Site': 'cross-site' }),
    same_site: operator.with({ 'Sec-Fetch-Site': 'same-site' }),
  }
})
afterAll(() => world?.close())

/** The callers whom a route refuses, by what it asks of them. */
const REFUSED: Readonly<Record<Who, Readonly<Record<string, number>>>> = {
  anyone: {},
  signed_in: { nobody: 401, token: 401, stranger: 403, forged: 401, revoked: 401 },
  operate: { nobody: 401, token: 401, stranger: 403, forged: 401, revoked: 401, asker: 403, definer: 403 },
  define: { nobody: 401, token: 401, stranger: 403, forged: 401, revoked: 401, asker: 403, operator: 403 },
}

describe('each route of the console', () => {
  it.each(ROUTES)('%s is served to the callers of the table alone', async (route, who) => {
    const [method = '', pattern = ''] = route.split(' ')
    const path = pattern.replaceAll(/:\w+/g, 'run_0123456789abcdef')
    const isChange = method !== 'GET'
    for (const [name, caller] of Object.entries(callers)) {
      // Signing out ends the session, which the other routes need.
      if (method === 'DELETE' && path.endsWith('/session') && REFUSED.signed_in[name] !== 401 && !name.endsWith('_site')) continue
      const { status, body } = await caller.send(method, path, isChange && method !== 'DELETE' ? {} : undefined)
      const expected = name.endsWith('_site') ? 403 : REFUSED[who][name]
      const isRefused = status === 401 || (status === 403 && ['cross_site', 'not_allowed', 'no_role'].includes(String(body.code)))
      expect(body.detail).not.toBe('The console has no such path.')
      expect({ name, status: isRefused ? status : undefined }).toEqual({ name, status: expected })
    }
  })

  it('takes changes as JSON from its own page only, told by Origin where a browser sends no Sec-Fetch-Site', async () => {
    const path = '/console/api/session'
    const send = (headers: Record<string, string>, body = '{}') => fetch(`${world.url}${path}`, { method: 'POST', headers, body })
    const json = { 'Content-Type': 'application/json' }
    const { host } = new URL(world.url)
    expect((await send({ ...json, Origin: `http://${host}` })).status).toBe(400)
    expect((await send({ ...json, Origin: 'http://evil.example' })).status).toBe(403)
    const refused = await send({ ...json, Origin: 'null' })
    expect([refused.status, refused.headers.get('Cache-Control')]).toEqual([403, 'no-store'])
    expect((await send(json)).status).toBe(403)
    expect((await send({ 'Content-Type': 'text/plain', 'Sec-Fetch-Site': 'same-origin' })).status).toBe(403)
  })

  it('is the only way in: turns take the session too, and nothing else does', async () => {
    const { asker, cross_site: crossSite, forged } = callers
    const none = await asker?.get('/v1/threads/none')
    expect([none?.status, none?.headers.get('Cache-Control')]).toEqual([404, 'no-store'])
    expect(await forged?.get('/v1/threads/none')).toMatchObject({ status: 401 })
    expect(await crossSite?.send('POST', '/v1/turns', { text: 'x' })).toMatchObject({ status: 403, body: { code: 'cross_site' } })
    expect(await asker?.send('POST', '/mcp', {})).toMatchObject({ status: 401 })
    expect(await asker?.get('/console/api/none')).toMatchObject({ status: 404 })
  })
})

describe('a sign-in', () => {
  it('takes a link once, and no link that is forged or has expired', async () => {
    const browser = new ConsoleClient(world.url)
    const secret = await world.link({ person: 'slack/U1ASKER', ...SLACK })
    const first = await browser.send('POST', '/console/api/session', { secret })
    expect(first).toMatchObject({ status: 200, body: { person: 'slack/U1ASKER' } })
    expect(first.headers.get('Set-Cookie')).toMatch(/^clew_session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(await browser.send('POST', '/console/api/session', { secret })).toMatchObject({
      status: 410,
      body: { code: 'link_used' },
    })
    expect(await browser.send('POST', '/console/api/session', { secret: 'A'.repeat(43) })).toMatchObject({ status: 410 })
    const expired = await world.link({ person: 'slack/U1ASKER', ...SLACK }, Date.now() - 601_000)
    expect(await browser.send('POST', '/console/api/session', { secret: expired })).toMatchObject({ status: 410 })
  })

  it('has a link of the terminal, with a role if there are rules', async () => {
    expect(await runClew(['tokens', 'link'], world.env)).toMatchObject({ status: 2, errors: expect.stringContaining('--role') })
    const { output } = await runClew(['tokens', 'link', '--role', 'operator', '--days', '2'], { ...world.env, PORT: '8790' })
    const [, secret] = /^http:\/\/localhost:8790\/#sign-in=([\w-]{43})\n$/.exec(output) ?? []
    const browser = new ConsoleClient(world.url)
    const { headers, body } = await browser.send('POST', '/console/api/session', { secret })
    expect(body.person).toMatch(/^terminal\//)
    expect(headers.get('Set-Cookie')).toContain(`Max-Age=${2 * 86_400}`)
    const signedIn = browser.with({ Cookie: headers.get('Set-Cookie')?.split(';')[0] ?? '' })
    expect((await signedIn.get('/console/api/session')).body).toMatchObject({
      roles: ['operator'],
      may: { operate: true, define: false },
    })
  })

  it('keeps only hashes of the secrets, which the key of this Clew has signed', async () => {
    const redis = await world.clew.redis.connect()
    const secret = await world.link({ person: 'slack/U1ASKER', ...SLACK })
    const keys = await redis.keys('clew:console:link:*')
    const texts = await Promise.all(keys.map(key => redis.get(key)))
    expect(`${keys}${texts}`).not.toContain(secret)
    const [key = ''] = keys
    const [signature] = texts[0]?.split(' ') ?? []
    await redis.set(
      key,
      `${signature} ${JSON.stringify({ person: 'slack/U1OPERATOR', role: null, lifeMs: 1_000_000, expires_at: Date.now() + 1_000_000 })}`,
    )
    const browser = new ConsoleClient(world.url)
    expect(await browser.send('POST', '/console/api/session', { secret })).toMatchObject({ status: 410 })
  })

  it('gives a person the same threads in each session, and no other person', async () => {
    const redis = await world.clew.redis.connect()
    const ids = async () => (await redis.hkeys('clew:http:tokens')).length
    const before = await ids()
    await world.signIn({ person: 'slack/U1ASKER', ...SLACK })
    expect(await ids()).toBe(before)
    await world.signIn({ person: 'slack/U1OTHER', ...SLACK })
    expect(await ids()).toBe(before + 1)
  })

  it('is over for good when it is revoked, also after the next sign-in', async () => {
    const stolen = await world.signIn({ person: 'slack/U1OTHER', ...SLACK })
    await runClew(['tokens', 'revoke', (await tokenOf('U1OTHER')).id], world.env)
    expect(await stolen.get('/console/api/session')).toMatchObject({ status: 401 })
    await world.signIn({ person: 'slack/U1OTHER', ...SLACK })
    expect(await stolen.get('/console/api/session')).toMatchObject({ status: 401 })
  })

  it('ends what is under way once the last session of the person is signed out', async () => {
    const here = await world.signIn({ person: 'slack/U1LEAVER', ...SLACK })
    const there = await world.signIn({ person: 'slack/U1LEAVER', ...SLACK })
    await here.send('DELETE', '/console/api/session')
    expect(await tokenOf('U1LEAVER')).toMatchObject({ isEnded: false })
    await there.send('DELETE', '/console/api/session')
    expect(await tokenOf('U1LEAVER')).toMatchObject({ isEnded: true })
    // What the person has asked is found by the token.
    await runClew(['forget', '--person', 'slack/U1LEAVER', '--yes'], world.env)
    expect(await tokenOf('U1LEAVER')).toMatchObject({ id: '' })
  })

  it('tells who has signed in, with the rights of that person', async () => {
    expect((await callers.definer?.get('/console/api/session'))?.body).toMatchObject({
      ...{ person: 'slack/U1DEFINER', roles: ['definer'], may: { operate: false, define: true }, timeZone: 'UTC' },
      tables: expect.any(Number),
    })
  })

  it('ends with the person’s role, without a new sign-in', async () => {
    const asker = await world.signIn({ person: 'slack/U1ASKER', ...SLACK })
    await world.restart(RULES.replace('U1ASKER: asker, ', ''))
    const moved = new ConsoleClient(world.url, { Cookie: cookieOf(asker) })
    expect(await moved.get('/console/api/session')).toMatchObject({ status: 403, body: { code: 'no_role' } })
    expect(await moved.get('/v1/threads/none')).toMatchObject({ status: 403, body: { code: 'no_role' } })
  })
})

/** Returns the token on which a person's sessions stand. */
async function tokenOf(user: string): Promise<{ readonly id: string; readonly isEnded: boolean }> {
  const { output } = await runClew(['tokens', 'list', '--json'], world.env)
  const tokens: readonly { readonly id: string; readonly name: string; readonly expires_at: string }[] = JSON.parse(output)
  const token = tokens.find(({ name }) => name === `console of slack/${user}`)
  return { id: token?.id ?? '', isEnded: Date.parse(token?.expires_at ?? '') <= Date.now() }
}

function cookieOf(client: ConsoleClient): string {
  return client.headers.Cookie ?? ''
}
