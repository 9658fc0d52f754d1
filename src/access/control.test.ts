import { describe, expect, it } from '@jest/globals'
import { PLATFORM_REGISTRY } from '../main/platform-registry.ts'
import { AccessControl, type AccessPlace } from './control.ts'
import { PeopleUnknownError } from './known-people.ts'
import { parseAccess } from './read-access-file.ts'

const POLICY = `
version: 1
default: viewer
roles:
  viewer: {tables: [shop.orders]}
  finance: {tables: [shop.*, finance.*], except: [finance.salaries], publish: true}
  intern: {tables: [shop.products]}
workspaces:
  - platform: slack
    workspace: T01
    users: {UFINN: finance, UINES: intern}
    groups: {SFIN: finance}
    channels: {CFIN: finance, CSALES: viewer}
  - platform: discord
    workspace: '197038439483310086'
    groups: {'41771983423143936': finance}
`
const GROUPS: Readonly<Record<string, readonly string[]>> = { UGRETA: ['SFIN'], '80351110224678912': ['41771983423143936'] }
const signal = new AbortController().signal

/** @param given `members` are the channel's members; undefined if the platform does not list members */
function openDesk(given: { readonly policy?: string; readonly members?: readonly string[]; readonly isAway?: boolean } = {}) {
  const away = () => Promise.reject(new PeopleUnknownError('slack', undefined))
  return new AccessControl({
    policy: parseAccess(given.policy ?? POLICY, 'access.yaml', PLATFORM_REGISTRY),
    people: {
      groupsOf: async (_rules, users) =>
        given.isAway === true ? away() : new Map(users.map(user => [user, GROUPS[user] ?? []])),
      channelMembers: async () => (given.isAway === true ? away() : given.members),
    },
  })
}
const place = (more: Partial<AccessPlace> = {}): AccessPlace => ({
  platform: 'slack',
  workspace: 'T01',
  channel: 'CDATA',
  isDirect: false,
  ...more,
})
const rolesOf = async (control: AccessControl, user: string, at = place()) => {
  const decision = await control.decide(at, user, signal)
  return decision.kind === 'granted' ? decision.roles : decision.reason
}
const isPrivate = async (control: AccessControl, user: string, at = place()) => {
  const decision = await control.decide(at, user, signal)
  return decision.kind === 'granted' && decision.isPrivate
}

describe('a role comes', () => {
  it.each([
    ['from the person', 'UFINN', ['finance']],
    ['from a group', 'UGRETA', ['finance']],
    ['from nowhere: the default one', 'UANNA', ['viewer']],
    ['from the person, even if it allows less than the default', 'UINES', ['intern']],
  ])('%s', async (_, user, expected) => {
    expect(await rolesOf(openDesk(), user)).toEqual(expected)
  })

  it('from the channel, in addition to one’s own', async () => {
    expect(await rolesOf(openDesk(), 'UINES', place({ channel: 'CFIN' }))).toEqual(['finance', 'intern'])
    expect(await rolesOf(openDesk(), 'UANNA', place({ channel: 'CFIN' }))).toEqual(['finance', 'viewer'])
  })

  it('only by default in a workspace that is not listed, whatever ids its people have', async () => {
    expect(await rolesOf(openDesk(), 'UFINN', place({ workspace: 'T02' }))).toEqual(['viewer'])
  })

  it('from every listed server in a direct message on Discord', async () => {
    const direct = place({ platform: 'discord', workspace: 'discord', isDirect: true })
    expect(await rolesOf(openDesk(), '80351110224678912', direct)).toEqual(['finance'])
  })

  it('not at all if there is no default role', async () => {
    const control = openDesk({ policy: POLICY.replace('default: viewer', '') })
    expect(await rolesOf(control, 'UANNA')).toBe('no_role')
    expect(await rolesOf(control, 'UFINN')).toEqual(['finance'])
  })

  it('from nowhere while the platform is away: nobody is answered', async () => {
    expect(await rolesOf(openDesk({ isAway: true }), 'UFINN')).toBe('people_unknown')
  })
})

describe('an answer is public', () => {
  it('if everybody in the channel may see as much as the asker', async () => {
    expect(await isPrivate(openDesk({ members: ['UFINN', 'UGRETA'] }), 'UFINN')).toBe(false)
    expect(await isPrivate(openDesk({ members: ['UFINN', 'UANNA'] }), 'UANNA')).toBe(false)
  })

  it('but private if somebody may see less', async () => {
    expect(await isPrivate(openDesk({ members: ['UFINN', 'UANNA'] }), 'UFINN')).toBe(true)
    expect(await isPrivate(openDesk({ members: ['UANNA', 'UINES'] }), 'UANNA')).toBe(true)
  })

  it('if no possible reader may see less, where the platform does not tell the members', async () => {
    // An intern may be in the channel, and an intern may see less than people with the default role.
    expect(await isPrivate(openDesk(), 'UANNA')).toBe(true)
    expect(await isPrivate(openDesk(), 'UFINN')).toBe(true)
    // Only Ines has the narrower role. She is the asker, so everybody else sees at least as much as she does.
    const narrow = POLICY.replace('{tables: [shop.products]}', '{tables: [shop.orders], except: [shop.orders]}')
    expect(await isPrivate(openDesk({ policy: narrow }), 'UINES')).toBe(false)
    const withoutInterns = openDesk({ policy: POLICY.replace(', UINES: intern', '') })
    expect(await isPrivate(withoutInterns, 'UANNA')).toBe(false)
    expect(await isPrivate(withoutInterns, 'UFINN')).toBe(true)
    const byGroup = POLICY.replace(', UINES: intern', '').replace('SFIN: finance', 'SFIN: intern')
    expect(await isPrivate(openDesk({ policy: byGroup }), 'UANNA')).toBe(true)
  })

  it('regardless of roles in other workspaces, where the platform does not tell the members', async () => {
    const elsewhere = place({ platform: 'discord', workspace: '197038439483310086' })
    expect(await isPrivate(openDesk(), 'UANNA', elsewhere)).toBe(false)
  })

  it('in a listed channel whose role may see as much', async () => {
    const control = openDesk({ members: ['UANNA'] })
    expect(await isPrivate(control, 'UFINN', place({ channel: 'CFIN' }))).toBe(false)
    expect(await isPrivate(control, 'UFINN', place({ channel: 'CSALES' }))).toBe(true)
  })

  it('always in a direct conversation, because the asker is the only reader', async () => {
    expect(await isPrivate(openDesk({ members: ['UFINN', 'UANNA'] }), 'UFINN', place({ isDirect: true }))).toBe(false)
  })

  it('but private if people without a role may see nothing', async () => {
    const control = openDesk({ policy: POLICY.replace('default: viewer', ''), members: ['UFINN', 'UANNA'] })
    expect(await isPrivate(control, 'UFINN')).toBe(true)
  })

  it('but private if nobody can tell who is there', async () => {
    const withoutGroups = new AccessControl({
      policy: parseAccess(POLICY.replace(/ {4}groups: .*\n/g, ''), 'access.yaml', PLATFORM_REGISTRY),
      people: {
        groupsOf: async () => new Map(),
        channelMembers: () => Promise.reject(new PeopleUnknownError('slack', undefined)),
      },
    })
    expect(await isPrivate(withoutGroups, 'UANNA')).toBe(true)
  })
})

describe('an earlier decision', () => {
  const before = { grants: [{ tables: ['shop.orders'], except: [] }], clickhouseRoles: [] }
  const decideAgain = async (user: string) => openDesk({ members: ['UANNA'] }).decide(place(), user, signal, before)

  it('holds if the asker may read more by now, so that others still see the answer', async () => {
    expect(await decideAgain('UFINN')).toMatchObject({ roles: ['finance'], access: before, isPrivate: false })
  })

  it('does not hold if the asker may read less by now', async () => {
    expect(await decideAgain('UINES')).toMatchObject({ access: { grants: [{ tables: ['shop.products'] }] }, isPrivate: true })
  })
})

describe('whoever presses a button', () => {
  const asker = { grants: [{ tables: ['shop.*'], except: [] }], clickhouseRoles: [] }

  it('may see an answer that rests on tables they may read', async () => {
    const control = openDesk()
    const read = (tables: readonly string[]) => ({ tables, access: asker })
    expect(await control.mayRead(place(), 'UANNA', read(['shop.orders']), signal)).toBe(true)
    expect(await control.mayRead(place(), 'UANNA', read(['shop.orders', 'shop.products']), signal)).toBe(false)
    expect(await control.mayRead(place(), 'UFINN', read(['finance.salaries']), signal)).toBe(false)
  })

  it('needs all rights of the asker if the tables are unknown', async () => {
    const control = openDesk()
    expect(await control.mayRead(place(), 'UFINN', { tables: undefined, access: asker }, signal)).toBe(true)
    expect(await control.mayRead(place(), 'UANNA', { tables: undefined, access: asker }, signal)).toBe(false)
    expect(await control.mayRead(place(), 'UFINN', { tables: undefined, access: undefined }, signal)).toBe(false)
  })

  it('may post to the channel by role, and not while the platform is away', async () => {
    expect(await openDesk().mayPublish(place(), 'UFINN', signal)).toBe(true)
    expect(await openDesk().mayPublish(place(), 'UANNA', signal)).toBe(false)
    expect(await openDesk({ isAway: true }).mayPublish(place(), 'UFINN', signal)).toBe(false)
  })
})

describe("when the server's row policies show roles different rows of one table", () => {
  const policy = `
version: 1
roles:
  emea: {tables: [shop.orders], clickhouse_role: emea, own_rows: true}
  apac: {tables: [shop.orders], clickhouse_role: apac, own_rows: true}
  admin: {tables: ["*.*"], clickhouse_role: admin}
workspaces:
  - {platform: slack, workspace: T01, users: {UEMEA: emea, UAPAC: apac, UBOTH: [emea, apac], UADMIN: admin}}
`

  it.each([
    ['UEMEA', ['UEMEA', 'UADMIN'], false],
    ['UEMEA', ['UEMEA', 'UBOTH'], false],
    ['UEMEA', ['UEMEA', 'UAPAC'], true],
    ['UBOTH', ['UBOTH', 'UEMEA'], true],
    ['UADMIN', ['UADMIN', 'UEMEA'], true],
  ])('an answer to %s among %j is private: %j', async (user, members, expected) => {
    expect(await isPrivate(openDesk({ policy, members }), user)).toBe(expected)
  })

  it.each([
    ['UEMEA', 'UADMIN', true],
    ['UEMEA', 'UBOTH', true],
    ['UEMEA', 'UAPAC', false],
    ['UBOTH', 'UEMEA', false],
    ['UADMIN', 'UBOTH', false],
  ])('rows read for %s are for %s: %j', async (asker, presser, expected) => {
    const control = openDesk({ policy })
    const decision = await control.decide(place(), asker, signal)
    const access = decision.kind === 'granted' ? decision.access : undefined
    for (const tables of [['shop.orders'], undefined]) {
      // If the answer's tables are unknown, a reader needs all rights of the asker. Only the admin has the rights of an admin.
      const read = tables === undefined && asker === 'UADMIN' ? { tables: ['shop.orders'], access } : { tables, access }
      expect(await control.mayRead(place(), presser, read, signal)).toBe(expected)
    }
  })
})

describe('without rules', () => {
  it('everybody may do everything', async () => {
    const people = {
      groupsOf: () => Promise.reject(new Error('not asked')),
      channelMembers: () => Promise.reject(new Error('not asked')),
    }
    const control = new AccessControl({ policy: undefined, people })
    expect(await control.decide(place(), 'UANNA', signal)).toEqual({
      kind: 'granted',
      roles: [],
      mayPublish: true,
      isPrivate: false,
    })
    expect(await control.mayRead(place(), 'UANNA', { tables: undefined, access: undefined }, signal)).toBe(true)
  })
})

describe('an answer from a source that not everybody may use', () => {
  const SOURCES = [
    { id: 'shop', isDefault: true },
    { id: 'crm', isDefault: false, roles: ['finance'] },
  ]
  const RULES = POLICY.replace('viewer: {tables: [shop.orders]}', 'viewer: {tables: ["*/*.*"]}').replace(
    'finance: {tables: [shop.*, finance.*], except: [finance.salaries], publish: true}',
    'finance: {tables: ["*/*.*"], publish: true}',
  )
  const openSources = (members: readonly string[]) =>
    new AccessControl({
      policy: parseAccess(RULES, 'access.yaml', PLATFORM_REGISTRY, SOURCES),
      people: { groupsOf: async () => new Map(), channelMembers: async () => members },
    })

  it('is private where somebody without the role reads', async () => {
    expect(await isPrivate(openSources(['UFINN', 'UANNA']), 'UFINN')).toBe(true)
    expect(await isPrivate(openSources(['UFINN', 'UANNA']), 'UANNA')).toBe(false)
    expect(await isPrivate(openSources(['UFINN']), 'UFINN')).toBe(false)
  })

  it.each([
    ['shop.orders', 'UANNA', true],
    ['crm/shop.orders', 'UANNA', false],
    ['crm/shop.orders', 'UFINN', true],
  ])('with %s may be seen by %s: %s', async (table, user, expected) => {
    const read = { tables: ['shop.products', table], access: undefined }
    expect(await openSources([]).mayRead(place(), user, read, signal)).toBe(expected)
  })

  it('without known tables may be seen by whoever may read everything of all sources', async () => {
    const unknown = { tables: undefined, access: undefined }
    expect(await openSources([]).mayRead(place(), 'UFINN', unknown, signal)).toBe(true)
    expect(await openSources([]).mayRead(place(), 'UANNA', unknown, signal)).toBe(false)
  })
})
