import { parseArgs } from 'node:util'
import type { ContenderName } from './contender.ts'
import { load, machine } from './machine.ts'
import { MODEL_PRESETS, type PresetName } from './model/presets.ts'
import { installPeers, type PeerVersion } from './peer-versions.ts'
import { printReport, writeDocs, writeReport } from './report.ts'
import type { Row } from './row.ts'
import { startSimulatedModel } from './simulated-model.ts'
import type { BenchParts } from './workload.ts'
import { WORKLOADS } from './workloads/workloads.ts'
import { startWorld } from './world.ts'

const USAGE = `npm run bench [-- OPTIONS]
  --help               prints this
  --quick              one round, fewer questions and peers, in under three minutes; without ${slowWorkloads().join(', ')}
  --json FILE          writes the figures there
  --docs               writes them into bench/FIGURES.md
  --only NAME          this workload alone; may be given several times: ${Object.keys(WORKLOADS).join(', ')}
  --rounds N           rounds of what is measured in turns (5; with --quick 1)
  --preset NAME        another pace of the model for all: ${Object.keys(MODEL_PRESETS).join(', ')}
  --no-peers           Clew alone`

const ALL_PEERS = ['barriers', 'langgraph', 'ai-sdk', 'openai-agents'] as const satisfies readonly ContenderName[]
const QUICK_PEERS = ['barriers', 'ai-sdk'] as const satisfies readonly ContenderName[]

/**
 * Runs the command `npm run bench`.
 * @returns the exit code: 1 if a measurement fails; 0 otherwise, even if a goal is missed, because the table shows that
 */
export async function mainBench(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (options === undefined) {
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  const { isQuick, names, leftOut, json } = options
  const loadBefore = load()
  const tell = (sentence: string) => void process.stderr.write(`bench: ${sentence}\n`)
  const versions: readonly PeerVersion[] = options.hasPeers ? installPeers(tell) : []
  tell(`load ${loadBefore}; starting the engine and the model …`)
  const [world, model] = await Promise.all([startWorld(options), startSimulatedModel('zero')])
  const rows: Row[] = []
  const failed: string[] = []
  // The numbers in questions have five digits, because few numbers in answers have as many.
  let number = 10_000
  try {
    const parts: BenchParts = {
      model,
      world,
      peers: !options.hasPeers ? [] : isQuick ? QUICK_PEERS : ALL_PEERS,
      rounds: options.rounds,
      isQuick,
      ...(options.preset && { preset: options.preset }),
      tell,
      nextNumber: () => {
        number += 1
        return number
      },
    }
    for (const name of names) {
      tell(`${name}: ${WORKLOADS[name].title} (load ${load()})`)
      const started = performance.now()
      try {
        rows.push(...(await WORKLOADS[name].measure(parts)))
        tell(`${name}: ${Math.round((performance.now() - started) / 1000)} s`)
      } catch (error) {
        // The remaining measurements still run.
        failed.push(name)
        tell(`${name} could not be measured: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  } finally {
    await Promise.all([model.stop(), world.close()])
  }
  const report = {
    machine: machine(loadBefore),
    versions: { node: process.versions.node },
    rows,
    peers: versions,
    left_out: leftOut,
  }
  printReport(report)
  if (json !== undefined) await writeReport(json, report)
  if (options.isForDocs) await writeDocs(report)
  return failed.length === 0 ? 0 : 1
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      docs: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      preset: { type: 'string' },
      'no-peers': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { quick: isQuick, only, preset } = values
  const all = Object.keys(WORKLOADS).filter((name): name is keyof typeof WORKLOADS => name in WORKLOADS)
  const names = all.filter(name => (only.length > 0 ? only.includes(name) : !isQuick || WORKLOADS[name].isQuick))
  const leftOut = isQuick && only.length === 0 ? slowWorkloads() : []
  const rounds = Number(values.rounds ?? (isQuick ? 1 : 5))
  const isPreset = (name: string): name is PresetName => name in MODEL_PRESETS
  if (values.help || only.some(name => !(name in WORKLOADS)) || !Number.isInteger(rounds) || rounds < 1) return undefined
  if (preset !== undefined && !isPreset(preset)) return undefined
  return { isQuick, names, leftOut, rounds, preset, json: values.json, isForDocs: values.docs, hasPeers: !values['no-peers'] }
}

/** Returns the names of the measurements that `--quick` leaves out, because they are too slow. */
function slowWorkloads(): readonly string[] {
  return Object.entries(WORKLOADS).flatMap(([name, { isQuick }]) => (isQuick ? [] : [name]))
}
