/** The known facts about the columns of a table, a subquery or a whole FROM clause. */
export interface KnownColumns {
  /** Names that certainly mean columns, with and without a qualifier: `id` and `orders.id`. */
  readonly certain: ReadonlySet<string>
  /** The column names that `*` definitely returns. */
  readonly asterisk: ReadonlySet<string>
  /** All names that may mean columns. Undefined if any name may mean one. */
  readonly possible: ReadonlySet<string> | undefined
}

export const NO_COLUMNS: KnownColumns = { certain: new Set(), asterisk: new Set(), possible: new Set() }
export const UNKNOWN_COLUMNS: KnownColumns = { ...NO_COLUMNS, possible: undefined }

/** Returns the columns that at least one of the items has. The items are joined in one FROM clause. */
export function unionOf(...all: readonly KnownColumns[]): KnownColumns {
  const certain = new Set(all.flatMap(one => [...one.certain]))
  return { certain, asterisk: new Set(all.flatMap(one => [...one.asterisk])), possible: possibleOf(all) }
}

/** Returns only the columns that every item has. */
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
