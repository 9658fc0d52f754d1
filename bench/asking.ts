import { type Contender, placesOf, startContender, type Timeline } from './contender.ts'
import { asked } from './model/asked.ts'
import type { LoggedRequest } from './model/request-log.ts'
import type { ScenarioId } from './model/scenarios.ts'
import type { BenchParts } from './workload.ts'

/** One question that was asked, and the answer of one program to it. */
export interface Sample {
  readonly contender: string
  readonly scenario: ScenarioId
  readonly round: number
  readonly timeline: Timeline
  /** The requests that the program sent to the model for this question. */
  readonly requests: readonly LoggedRequest[]
}

/**
 * Starts Clew and its peers. Each answers one question of each kind before the measurements. This warms up code, connections and prompts.
 */
export async function startContenders(parts: BenchParts, scenarios: readonly ScenarioId[]): Promise<readonly Contender[]> {
  const places = placesOf(parts.model, parts.world)
  const contenders = await Promise.all((['clew', ...parts.peers] as const).map(name => startContender(name, places)))
  await Promise.all(contenders.map(each => warmUp(parts, each, scenarios)))
  return contenders
}

export async function warmUp(parts: BenchParts, contender: Contender, scenarios: readonly ScenarioId[]): Promise<void> {
  for (const scenario of scenarios) await contender.ask(asked(scenario, parts.nextNumber()).scenario.question)
}

/** Asks each program in turn, several times. A disturbance of the machine then affects all programs alike. */
export async function askInTurns(
  parts: BenchParts,
  contenders: readonly Contender[],
  scenarios: readonly ScenarioId[],
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for (let round = 0; round < parts.rounds; round += 1) {
    for (const scenario of scenarios) {
      for (let turn = 0; turn < contenders.length; turn += 1) {
        // Each round begins with a different program.
        const contender = contenders[(turn + round) % contenders.length]
        if (contender === undefined) continue
        samples.push(await askOnce(parts, contender, scenario, round))
      }
    }
    parts.tell(`round ${round + 1} of ${parts.rounds}`)
  }
  return samples
}

async function askOnce(parts: BenchParts, contender: Contender, scenario: ScenarioId, round: number): Promise<Sample> {
  const before = (await parts.model.log()).length
  const timeline = await contender.ask(asked(scenario, parts.nextNumber()).scenario.question)
  const requests = (await parts.model.log()).slice(before)
  return { contender: contender.name, scenario, round, timeline, requests }
}
