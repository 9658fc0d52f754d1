import { textWidth } from './text-width.ts'

/** Steps between the labels of an axis that are easy to read, such as every 7 days, 12 hours or 60 minutes. */
const STEPS = [1, 2, 3, 4, 5, 6, 7, 10, 12, 14, 15, 20, 24, 28, 30, 60, 90, 120, 180, 240, 360, 720]
const GAP = 24
const MIDNIGHT = / 00:00$/

/** Decides which labels an axis shows. */
export interface AxisTicks {
  isNamed(index: number): boolean
  name(label: string): string
}

/** Labels as many points of an axis as fit. If the points are hours of several days, labels only midnights. */
export function axisTicks(labels: readonly string[], size: number, width: number): AxisTicks {
  const midnights = labels.flatMap((label, index) => (MIDNIGHT.test(label) ? [index] : []))
  const areDays = midnights.length > 2
  const candidates = areDays ? midnights : labels.map((_, index) => index)
  const name = (label: string) => (areDays ? label.replace(MIDNIGHT, '') : label)
  const widest = Math.max(...candidates.map(index => textWidth(name(labels[index] ?? ''), size)))
  const most = Math.max(2, Math.floor(width / (widest + GAP)))
  const needed = Math.ceil(candidates.length / most)
  const step = STEPS.find(each => each >= needed) ?? needed
  const named = new Set(candidates.filter((_, position) => position % step === 0))
  return { isNamed: index => named.has(index), name }
}
