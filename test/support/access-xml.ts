/**
 * Converts access statements (CREATE SETTINGS PROFILE, ROLE, USER, QUOTA; GRANT) to ClickHouse's users.xml. The embedded engine cannot store such
 * statements, but it enforces this file with the server's own code. Throws for a statement that cannot be converted.
 */
export interface AccessXml {
  readonly xml: string
  readonly profiles: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** The only user of the embedded engine. */
const ENGINE_USER = 'default'
/** Matches statements that users.xml cannot express: quotas for a user, and default roles. In users.xml, all roles are default roles. */
const SERVER_ONLY = /^(?:CREATE QUOTA |ALTER USER `?\w+`? DEFAULT ROLE )/
/** On a server, an HTTP header selects the database. The embedded engine needs the statement USE, which requires this right. */
const USE_SYSTEM = 'GRANT SHOW DATABASES ON system.*'

/**
 * @param statements one per item, as `formatQuerySingleLine` writes them
 * @param options.user the user that becomes the engine's own
 */
export function toAccessXml(statements: readonly string[], options: { readonly user: string }): AccessXml {
  const profiles = new Map<string, Map<string, string>>()
  const roles = new Map<string, string[]>()
  const users = new Map<string, { profile: string | undefined; grants: string[] }>()
  for (const statement of statements) {
    const profile = /^CREATE SETTINGS PROFILE (?:OR REPLACE |IF NOT EXISTS )?`?(\w+)`? SETTINGS (.+)$/.exec(statement)
    const role = /^CREATE ROLE (?:OR REPLACE |IF NOT EXISTS )?`?(\w+)`?$/.exec(statement)
    const user = /^CREATE USER (?:OR REPLACE |IF NOT EXISTS )?`?(\w+)`? (.+)$/.exec(statement)
    const grant = /^GRANT (.+) TO `?(\w+)`?$/.exec(statement)
    if (profile !== null) profiles.set(profile[1] ?? '', settingsOf(profile[2] ?? ''))
    else if (role !== null) roles.set(role[1] ?? '', [])
    else if (user !== null) users.set(user[1] ?? '', { profile: profileOf(user[2] ?? ''), grants: [] })
    else if (grant !== null) {
      const holder = roles.get(grant[2] ?? '') ?? users.get(grant[2] ?? '')?.grants
      if (holder === undefined) throw new Error(`granted to nobody: ${statement}`)
      holder.push(`GRANT ${grant[1]}`)
    } else if (!SERVER_ONLY.test(statement)) throw new Error(`cannot be put into users.xml: ${statement}`)
  }
  const own = users.get(options.user)
  if (own?.profile === undefined) throw new Error(`the user ${options.user} with a profile is not among the statements`)
  const xml = `<clickhouse>
  <profiles><default/>${[...profiles].map(([name, settings]) => element(name, profileXml(settings))).join('')}</profiles>
  <roles>${[...roles].map(([name, grants]) => element(name, grantsXml(grants))).join('')}</roles>
  <users>${element(
    ENGINE_USER,
    `<no_password/><networks><ip>::/0</ip></networks>${element('profile', own.profile)}<quota>default</quota>${grantsXml([...own.grants, USE_SYSTEM])}`,
  )}</users>
  <quotas><default/></quotas>
</clickhouse>`
  return { xml, profiles }
}

/** Parses a list of settings such as `a = 1 CONST, b = 'x' CONST`. Each setting must have the word CONST. */
function settingsOf(list: string): Map<string, string> {
  return new Map(
    list.split(', ').map(item => {
      const match = /^(\w+) = (?:'([^']*)'|(\S+)) CONST$/.exec(item)
      if (match === null) throw new Error(`not a constant setting: ${item}`)
      return [match[1] ?? '', match[2] ?? match[3] ?? '']
    }),
  )
}

function profileOf(clauses: string): string | undefined {
  return /SETTINGS PROFILE ['`]?(\w+)['`]?/.exec(clauses)?.[1]
}

function profileXml(settings: ReadonlyMap<string, string>): string {
  const constants = [...settings.keys()].map(name => element(name, '<const/>'))
  return `${[...settings].map(([name, value]) => element(name, value)).join('')}<constraints>${constants.join('')}</constraints>`
}

function grantsXml(grants: readonly string[]): string {
  return `<grants>${grants.map(grant => element('query', grant)).join('')}</grants>`
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`
}
