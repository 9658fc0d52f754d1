import type { ContenderName } from './contender.ts'
import type { PresetName } from './model/presets.ts'
import type { SimulatedModel } from './simulated-model.ts'
import type { World } from './world.ts'

/** What every workload has at hand. */
export interface BenchParts {
  readonly model: SimulatedModel
  readonly world: World
  /** Programs that are measured beside Clew. */
  readonly peers: readonly ContenderName[]
  readonly rounds: number
  readonly isQuick: boolean
  /** Instead of the presets that workloads ask for. */
  readonly preset?: PresetName
  /** Says what is being done. */
  readonly tell: (sentence: string) => void
  /** A number that no question has had. */
  readonly nextNumber: () => number
}
