import { z } from 'zod'
import { startProgram } from './child-process.ts'
import type { World } from './world.ts'

const startedSchema = z.object({ url: z.string() })

/** Starts a process that stores the warehouse's answers and then gives them from memory. So the warehouse has no latency. */
export async function startStubWarehouse(world: World): Promise<World> {
  const program = startProgram('bench/main-stub-warehouse.ts', [world.url])
  const { url } = await program.next(line => startedSchema.safeParse(line).data)
  return { ...world, url, close: program.stop }
}
