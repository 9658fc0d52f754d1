import type { FuzzReport, FuzzTally } from './run-fuzz.ts'

/** Formats the results of a run for people. */
export function reportLines({ options, seconds, tally, breaches, faults }: FuzzReport): readonly string[] {
  const { queries, seed } = options
  const rejected = sum(tally.rejected)
  const failed = sum(tally.failed)
  const allowed = queries - rejected - faults.length
  return [
    `queries   ${queries} in ${seconds.toFixed(1)} s (${Math.round(queries / seconds)} a second), seed ${seed}`,
    `allowed   ${allowed} (${share(allowed, queries)} of all)`,
    `  ran     ${tally.ran} (${share(tally.ran, allowed)} of the allowed)`,
    `  failed  ${failed} (${share(failed, allowed)} of the allowed): ${counts(tally.failed)}`,
    `  denied  ${tally.denied} (${share(tally.denied, allowed)} of the allowed)`,
    `rejected  ${rejected} (${share(rejected, queries)} of all): ${counts(tally.rejected)}`,
    `engine    ${faults.filter(({ fault }) => fault === 'crash').length} crashes, ${faults.filter(({ fault }) => fault === 'stuck').length} stuck`,
    ...faults.flatMap(({ index, fault, sql, scope }) => [
      `${fault} #${index}, scope ${scope}: ${sql}`,
      `  again: ${again(seed, index)}`,
    ]),
    `breaches  ${breaches.length}`,
    ...breaches.flatMap(({ index, kind, detail, reduced, scope }) => [
      `${kind} #${index}, scope ${scope}: ${detail}`,
      `  ${reduced}`,
      `  again: ${again(seed, index)}`,
    ]),
  ]
}

/** Formats a line that shows the progress of a run. */
export function progressLine(judged: number, queries: number, tally: FuzzTally): string {
  const allowed = judged - sum(tally.rejected)
  return `${judged} of ${queries}: ${share(allowed, judged)} allowed, ${share(tally.ran, allowed)} of them ran, ${tally.denied} denied`
}

function again(seed: number, index: number): string {
  return `npm run fuzz -- --queries 1 --seed ${seed} --first ${index}`
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}

function counts(map: ReadonlyMap<string, number>): string {
  return [...map]
    .sort(([, a], [, b]) => b - a)
    .map(([key, count]) => `${key} ${count}`)
    .join(', ')
}

function sum(map: ReadonlyMap<string, number>): number {
  return [...map.values()].reduce((total, count) => total + count, 0)
}
