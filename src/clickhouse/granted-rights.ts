/** A parsed line of `SHOW GRANTS`. */
export interface GrantedRights {
  /** `SELECT`, `CREATE TABLE`, `READ` …, without the columns of a column grant. */
  readonly privileges: readonly string[]
  /** The object as the server writes it: `sales.*`, `*.*`, `URL`. Empty for a granted role. */
  readonly target: string
  readonly mayPassOn: boolean
}

/** Rights that a reader needs or that do no harm: reading, listing, dictionary look-ups. */
const READING = /^(SELECT|SHOW|SHOW DATABASES|SHOW TABLES|SHOW COLUMNS|SHOW DICTIONARIES|DICTGET)$/i
const GRANTEE = / TO (?:`(?:[^`\\]|\\.)*`|[^\s`]+)( WITH (?:GRANT|ADMIN) OPTION)?$/

/**
 * Parses the output of `SHOW GRANTS`; no other code reads this text. An unknown line is kept as a right of its own, so that it is reported.
 * Revocations only take away, so they are skipped.
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
 * Returns the rights that a reader should not have, one phrase per grant. Empty if there are none.
 * @param asked the configured databases; only the SQL guard protects whatever else is readable
 */
export function excessRights(grants: readonly GrantedRights[], asked: readonly string[]): readonly string[] {
  return grants.flatMap(({ privileges, target, mayPassOn }) => {
    // A role appears only if the server does not resolve roles. Its rights are then unknown.
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

/** Commas inside the parentheses of a column grant do not separate rights. */
function splitPrivileges(text: string): readonly string[] {
  return text
    .replace(/\([^()]*\)/g, '')
    .split(',')
    .map(privilege => privilege.trim())
}
