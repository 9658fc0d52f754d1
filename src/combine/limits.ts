/** The limits of plans over several sources, and of the engine that combines their results. */
export const COMBINE_LIMITS = {
  plan: {
    /** The maximum number of sub-queries. A question for one source has the same limit. */
    subQueries: 6,
    combines: 6,
    posts: 6,
    /** The maximum number of nodes of a plan. The compiled statement has one CTE for each. */
    nodes: 16,
    /** The maximum number of columns of a sub-query, of a projection and of a GROUP BY. An estimate, not measured. */
    columns: 40,
    /** The maximum number of steps of a post. An estimate: a model that needs more repeats itself. */
    steps: 12,
    /** The maximum number of values of a filter, and their length in characters. Longer lists belong into a sub-query. */
    values: 100,
    valueCharacters: 500,
    /** The maximum number of rows that a plan may keep. A result has at most as many. */
    rows: 10_000,
  },
} as const
