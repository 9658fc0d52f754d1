import type { ContenderName } from './contender.ts'
import type { PresetName } from './model/presets.ts'
import type { SimulatedModel } from './simulated-model.ts'
import type { World } from './world.ts'

/** The parts that every measurement uses. */
export interface BenchParts {
  readonly model: SimulatedModel
  readonly world: World
  /** The programs to compare with Clew. */
  readonly peers: readonly ContenderName[]
  readonly rounds: number
  readonly isQuick: boolean
  /** If set, all measurements use this model instead of their own. */
  readonly preset?: PresetName
  /** Prints a sentence about the progress. */
  readonly tell: (sentence: string) => void
  /** Returns a number that no question has contained so far. */
  readonly nextNumber: () => number
}
