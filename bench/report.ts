import { writeFile } from 'node:fs/promises'
import type { Machine } from './machine.ts'
import type { PeerVersion } from './peer-versions.ts'
import type { Row } from './row.ts'

export interface Report {
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
  readonly peers: readonly PeerVersion[]
  /** The measurements that `--quick` left out. */
  readonly left_out: readonly string[]
}

export async function writeReport(file: string, report: Report): Promise<void> {
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`)
}

const FIGURES = 'bench/FIGURES.md'

/** Writes the measured figures and the date into the Markdown page for them. */
export async function writeDocs(report: Report): Promise<void> {
  const head = `# Figures

\`npm run bench -- --docs\` writes this page. [docs/performance.md](../docs/performance.md) says how they are measured.`
  await writeFile(FIGURES, `${head}\n\n${new Date().toISOString().slice(0, 10)}. ${reportMarkdown(report)}\n`)
}

/** Prints the figures as Markdown. Figures with a goal come first. */
export function printReport(report: Report): void {
  process.stdout.write(`${reportMarkdown(report)}\n`)
}

function reportMarkdown({ machine, versions, rows, peers, left_out: leftOut }: Report): string {
  const judged = rows.filter(({ met }) => met !== null)
  const missed = judged.filter(({ met }) => met === false)
  const libraries = peers.map(({ name, library, version }) =>
    name === library ? `${name} ${version}` : `${name} (${library} ${version})`,
  )
  return [
    `${machine.cpu}, ${machine.cores} cores, ${machine.memory_gb} GB, ${machine.platform}; load ${machine.load_before} before, ${machine.load_after} after. ${Object.entries(
      versions,
    )
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}${libraries.length === 0 ? '' : `; ${libraries.join(', ')}`}.`,
    `${judged.length - missed.length} of ${judged.length} goals are met${missed.length === 0 ? '.' : `; missed: ${missed.map(({ id }) => `\`${id}\``).join(', ')}.`}${leftOut.length === 0 ? '' : ` Not measured: ${leftOut.join(', ')}.`}`,
    table(
      ['what', 'value', 'min – max', 'goal', ''],
      judged.map(each => [each.workload, shownValue(each), rangeOf(each), each.goal, each.met ? 'met' : '**missed**']),
    ),
    table(
      ['what', 'value', 'min – max'],
      rows.filter(({ met }) => met === null).map(each => [each.workload, shownValue(each), rangeOf(each)]),
    ),
  ].join('\n\n')
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}

function shownValue({ value, unit }: Row): string {
  return unit === '×' ? figure(value) : `${figure(value)} ${unit}`
}

function rangeOf({ min, max, value }: Row): string {
  return min === undefined || max === undefined || (min === value && max === value) ? '' : `${figure(min)} – ${figure(max)}`
}

/** Writes a number with three significant digits. A number from 100 on has no fraction. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}
