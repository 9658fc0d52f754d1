import type { ContenderName } from './contender.ts'
import type { PresetName } from './model/presets.ts'
import type { SimulatedModel } from './simulated-model.ts'
import type { World } from './world.ts'

/** The parts of every workload. */
export interface BenchParts {
  readonly model: SimulatedModel
  readonly world: World
  /** Programs to compare with Clew. */
  readonly peers: readonly ContenderName[]
  readonly rounds: number
  readonly isQuick: boolean
  /** A preset in place of those of the workloads. */
  readonly preset?: PresetName
  /** Reports progress. */
  readonly tell: (sentence: string) => void
  /** Returns a number that no question has had so far. */
  readonly nextNumber: () => number
}
