/** One parsed line of `SHOW GRANTS`: `GRANT SELECT ON sales.* TO clew`. */
export interface GrantedRights {
  /** The privileges, such as `SELECT`, `CREATE TABLE` or `READ`. A list of columns, as in `SELECT(id)`, is left out. */
  readonly privileges: readonly string[]
  /** The covered objects, in the server's spelling: `sales.*`, `*.*`, `URL`. Empty if the grant gives a role. */
  readonly target: string
  readonly mayPassOn: boolean
}

/**
 * Matches the privileges that the reading user needs, and harmless ones: to read, to list objects, and to look up values in
 * dictionaries.
 */
const READING = /^(SELECT|SHOW|SHOW DATABASES|SHOW TABLES|SHOW COLUMNS|SHOW DICTIONARIES|DICTGET)$/i
const GRANTEE = / TO (?:`(?:[^`\\]|\\.)*`|[^\s`]+)( WITH (?:GRANT|ADMIN) OPTION)?$/

/**
 * Parses the output of `SHOW GRANTS`. A line that cannot be parsed becomes a right of its own, so that it is reported. Lines that
 * revoke rights only take rights away, so they are skipped.
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
 * Returns rights that the reading user does not need, one phrase per grant.
 * @param asked the configured databases; SELECT on another database is reported too, because only the SQL guard protects it
 */
export function excessRights(grants: readonly GrantedRights[], asked: readonly string[]): readonly string[] {
  return grants.flatMap(({ privileges, target, mayPassOn }) => {
    // The server may list a role without its rights. They are then unknown, so the role itself is reported.
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

/** Splits a list of privileges at its commas, except commas in parentheses, as in `SELECT(id, name)`. */
function splitPrivileges(text: string): readonly string[] {
  return text
    .replace(/\([^()]*\)/g, '')
    .split(',')
    .map(privilege => privilege.trim())
}
