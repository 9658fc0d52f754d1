/** What is known of the names of the columns of a table, a subquery, or all of FROM. */
export interface Columns {
  /** Names that certainly are columns, with and without what may stand before them. */
  readonly certain: ReadonlySet<string>
  /** Those of them that `*` certainly returns, by that name. */
  readonly asterisk: ReadonlySet<string>
  /** All names that may be columns; undefined when any may. */
  readonly possible: ReadonlySet<string> | undefined
}

export const NO_COLUMNS: Columns = { certain: new Set(), asterisk: new Set(), possible: new Set() }
export const UNKNOWN_COLUMNS: Columns = { ...NO_COLUMNS, possible: undefined }

/** The columns of all together. */
export function joined(...all: readonly Columns[]): Columns {
  const certain = new Set(all.flatMap(one => [...one.certain]))
  return { certain, asterisk: new Set(all.flatMap(one => [...one.asterisk])), possible: possibleOf(all) }
}

/** What is a column in each of them. */
export function common(all: readonly Columns[]): Columns {
  const [first, ...others] = all
  const certain = [...(first?.certain ?? [])].filter(name => others.every(other => other.certain.has(name)))
  return { certain: new Set(certain), asterisk: new Set(), possible: possibleOf(all) }
}

function possibleOf(all: readonly Columns[]): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  for (const { possible } of all) {
    if (possible === undefined) return undefined
    for (const name of possible) names.add(name)
  }
  return names
}
