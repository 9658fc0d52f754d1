/** One parsed line of `SHOW GRANTS`: `GRANT SELECT ON sales.* TO clew`. */
export interface GrantedRights {
  /** The privileges, such as `SELECT`, `CREATE TABLE` or `READ`. If the grant covers only some columns, the column list is left out. */
  readonly privileges: readonly string[]
  /** The object that the grant covers, as the server prints it: `sales.*`, `*.*`, `URL`. Empty if a role is granted. */
  readonly target: string
  readonly mayPassOn: boolean
}

/**
 * Matches privileges that the reading user needs, and harmless ones. They allow the user to read, to list objects, and to look up in
 * dictionaries.
 */
const READING = /^(SELECT|SHOW|SHOW DATABASES|SHOW TABLES|SHOW COLUMNS|SHOW DICTIONARIES|DICTGET)$/i
const GRANTEE = / TO (?:`(?:[^`\\]|\\.)*`|[^\s`]+)( WITH (?:GRANT|ADMIN) OPTION)?$/

/**
 * Parses the output of `SHOW GRANTS`. An unknown line becomes a separate right, so that it is reported. Lines that revoke rights
 * are skipped, because they only take rights away.
 */
export function readGrants(lines: readonly string[]): readonly GrantedRights[] {
  return lines
    .filter(line => !line.startsWith('REVOKE '))
    .map(line => {
      const grantee = GRANTEE.exec(line)
      if (grantee === null || !line.startsWith('GRANT ')) return { privileges: [line], target: '', mayPassOn: false }
      const granted = line.slice('GRANT '.length, grantee.index)
      const on = granted.indexOf(' ON ')
      const [privileges, target] = on < 0 ? [granted, ''] : [granted.slice(0, on), granted.slice(on + ' ON '.length)]
      return { privileges: splitPrivileges(privileges), target, mayPassOn: grantee[1] !== undefined }
    })
}

/**
 * Returns the rights that the reading user should not have, one phrase per grant.
 * @param asked the configured databases; the result reports SELECT on any other database, because only the SQL guard protects it
 */
export function excessRights(grants: readonly GrantedRights[], asked: readonly string[]): readonly string[] {
  return grants.flatMap(({ privileges, target, mayPassOn }) => {
    // The server may list a granted role without the role's rights. Its rights are then unknown, so the role itself is reported.
    const excess = target === '' ? privileges : privileges.filter(privilege => !READING.test(privilege))
    const on = target === '' ? '' : ` on ${target}`
    return [
      ...(excess.length > 0 ? [`${abbreviated(excess)}${on}`] : []),
      ...(mayPassOn ? [`the right to pass on its rights${on}`] : []),
      ...(privileges.includes('SELECT') ? excessReading(target, asked) : []),
    ]
  })
}

function excessReading(target: string, asked: readonly string[]): readonly string[] {
  const database = /^(?:`((?:[^`\\]|\\.)*)`|([^.]*))\./.exec(target)
  const name = database?.[1]?.replace(/\\(.)/g, '$1') ?? database?.[2] ?? ''
  if (name === '*') return ['SELECT on every database']
  return asked.includes(name) ? [] : [`SELECT on ${target}, which is not asked about`]
}

function abbreviated(privileges: readonly string[]): string {
  const shown = privileges.slice(0, 5).join(', ')
  return privileges.length > 5 ? `${shown} and ${privileges.length - 5} more` : shown
}

/** Splits a list of privileges at its commas. Leaves commas inside parentheses alone, as in `SELECT(id, name)`. */
function splitPrivileges(text: string): readonly string[] {
  return text
    .replace(/\([^()]*\)/g, '')
    .split(',')
    .map(privilege => privilege.trim())
}
