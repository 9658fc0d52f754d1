/** The numbers of drawing. The geometry of a picture is in `graph/style.ts` and beside its drawing. */
export const CHART_LIMITS = {
  /** Chosen: a drawing takes a fraction of a second, and nobody waits longer because of a chart. */
  drawMs: 10_000,
  /** Chosen: the library's memory, some 50 MB, is freed after this time without a chart. */
  idleMs: 60_000,
  /** The memory of the drawing thread. */
  threadMemory: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 },
  /** Lines with more points mark only those without a neighbour. */
  markedPoints: 40,
  /** Characters used from each end of a very long name. */
  nameEndCharacters: 60,
  /** No page is wider than a longer title. */
  titleCharacters: 300,
} as const
