/** What names mean at one place of a query. */
export interface Names {
  /** CTEs that are certainly seen here: those written earlier, in this query or around it. */
  readonly ctes: ReadonlySet<string>
  /** Aliases that are certainly found here. An alias of a bare name stands for that name, which is judged apart. */
  readonly values: ReadonlySet<string>
  /** Aliases of lambdas. */
  readonly lambdas: ReadonlySet<string>
  /** Parameters of the lambdas around this place. */
  readonly parameters: ReadonlySet<string>
  /** The CTEs and aliases in whose definition this place is, outermost first, as keys of the name graph. */
  readonly inside: readonly string[]
  /** The recursive CTE in whose recursive part this place is. */
  readonly recursion: string | undefined
}

export const NO_NAMES: Names = {
  ctes: new Set(),
  values: new Set(),
  lambdas: new Set(),
  parameters: new Set(),
  inside: [],
  recursion: undefined,
}

/** `names` with more of one kind. */
export function withNames(
  names: Names,
  kind: 'ctes' | 'values' | 'lambdas' | 'parameters',
  more: readonly (string | undefined)[],
): Names {
  return { ...names, [kind]: new Set([...names[kind], ...more.filter(name => name !== undefined)]) }
}

/** `names` as they are in the definition of a CTE or an alias. */
export function insideOf(names: Names, key: string): Names {
  return { ...names, inside: [...names.inside, key] }
}
