import { z } from 'zod'
import { startProgram } from './child-process.ts'
import type { World } from './world.ts'

const startedSchema = z.object({ url: z.string() })

/** A caching warehouse in a separate process. */
export async function startStubWarehouse(world: World): Promise<World> {
  const program = startProgram('bench/main-stub-warehouse.ts', [world.url])
  const { url } = await program.next(line => startedSchema.safeParse(line).data)
  return { ...world, url, close: program.stop }
}
