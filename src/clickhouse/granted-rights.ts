/** One line of `SHOW GRANTS`, read. */
export interface GrantedRights {
  /** `SELECT`, `CREATE TABLE`, `READ` …; the columns of a column grant are left out. */
  readonly privileges: readonly string[]
  /** What they are granted on, as the server writes it: `sales.*`, `*.*`, `URL`. Empty for a granted role. */
  readonly target: string
  readonly mayPassOn: boolean
}

/** What a user who only asks needs, or cannot do harm with: reading, seeing what there is, looking up in dictionaries. */
const READING = /^(SELECT|SHOW|SHOW DATABASES|SHOW TABLES|SHOW COLUMNS|SHOW DICTIONARIES|DICTGET)$/i
const GRANTEE = / TO (?:`(?:[^`\\]|\\.)*`|[^\s`]+)( WITH (?:GRANT|ADMIN) OPTION)?$/

/**
 * Reads what `SHOW GRANTS` printed: the one place that looks at this text of the server. A line that is not understood is kept as a right of
 * its own, so that it shows up as one too many; a revocation only takes away, and is passed over.
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
 * What a user who only asks should not have, one sentence part for each grant; empty when there is nothing.
 * @param asked the databases that are asked about: what else can be read lies behind the SQL guard alone
 */
export function excessRights(grants: readonly GrantedRights[], asked: readonly string[]): readonly string[] {
  return grants.flatMap(({ privileges, target, mayPassOn }) => {
    // A granted role shows only where the server does not resolve roles: what it holds is not known then.
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

/** Commas inside the parentheses of a column grant do not divide. */
function splitPrivileges(text: string): readonly string[] {
  return text
    .replace(/\([^()]*\)/g, '')
    .split(',')
    .map(privilege => privilege.trim())
}
