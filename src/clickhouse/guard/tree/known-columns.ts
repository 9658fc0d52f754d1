/** The columns of a table, a subquery, or a whole FROM clause, as far as they are known. */
export interface KnownColumns {
  /** Names that are certainly columns, with and without qualifiers. */
  readonly certain: ReadonlySet<string>
  /** The column names that `*` is certain to return. */
  readonly asterisk: ReadonlySet<string>
  /** All possible column names. Undefined if any name is possible. */
  readonly possible: ReadonlySet<string> | undefined
}

export const NO_COLUMNS: KnownColumns = { certain: new Set(), asterisk: new Set(), possible: new Set() }
export const UNKNOWN_COLUMNS: KnownColumns = { ...NO_COLUMNS, possible: undefined }

/** Returns the columns of several items of one FROM clause together. */
export function unionOf(...all: readonly KnownColumns[]): KnownColumns {
  const certain = new Set(all.flatMap(one => [...one.certain]))
  return { certain, asterisk: new Set(all.flatMap(one => [...one.asterisk])), possible: possibleOf(all) }
}

/** Returns the columns that all the given items have in common. */
export function intersectionOf(all: readonly KnownColumns[]): KnownColumns {
  const [first, ...others] = all
  const certain = [...(first?.certain ?? [])].filter(name => others.every(other => other.certain.has(name)))
  return { certain: new Set(certain), asterisk: new Set(), possible: possibleOf(all) }
}

function possibleOf(all: readonly KnownColumns[]): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  for (const { possible } of all) {
    if (possible === undefined) return undefined
    for (const name of possible) names.add(name)
  }
  return names
}
