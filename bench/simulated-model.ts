import { z } from 'zod'
import { startProgram } from './child-process.ts'
import type { PresetName } from './model/presets.ts'
import type { LoggedRequest } from './model/request-log.ts'

/** The simulated model, which runs in a process of its own. */
export interface SimulatedModel {
  readonly baseUrl: string
  /** Clears the list of requests and the prompt cache. Sets the model's speed. */
  reset(preset: PresetName): Promise<void>
  log(): Promise<readonly LoggedRequest[]>
  stop(): Promise<void>
}

const startedSchema = z.object({ baseUrl: z.string() })

export async function startSimulatedModel(preset: PresetName): Promise<SimulatedModel> {
  const program = startProgram('bench/model/main-model-server.ts', [preset])
  const { baseUrl } = await program.next(line => startedSchema.safeParse(line).data)
  const origin = new URL(baseUrl).origin
  return {
    baseUrl,
    reset: async name => void (await fetch(`${origin}/bench/reset?preset=${name}`, { method: 'POST' })),
    log: async () => (await (await fetch(`${origin}/bench/log`)).json()) as LoggedRequest[],
    stop: program.stop,
  }
}
