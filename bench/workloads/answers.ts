import { askInTurns, type Sample, startContenders } from '../asking.ts'
import type { Timeline } from '../contender.ts'
import { criticalPath } from '../critical-path.ts'
import { MODEL_PRESETS } from '../model/presets.ts'
import type { ScenarioId } from '../model/scenarios.ts'
import { type Row, row } from '../row.ts'
import { type Spread, spread } from '../statistics.ts'
import type { BenchParts } from '../workload.ts'

const SCENARIOS = ['simple', 'complex', 'verified'] as const
type Moment = keyof Timeline

/**
 * Compares Clew and its peers, one question at a time on the same model. Measures when a person sees what, and how many tokens are used.
 */
export async function measureAnswers(parts: BenchParts): Promise<readonly Row[]> {
  const presetName = parts.preset ?? 'mini'
  await parts.model.reset(presetName)
  const contenders = await startContenders(parts, SCENARIOS)
  try {
    const samples = await askInTurns(parts, contenders, SCENARIOS)
    return [
      ...pathRows(samples, presetName),
      ...ratioRows(samples, parts),
      ...contenders.flatMap(({ name }) => shownRows(samples, name)),
    ]
  } finally {
    await Promise.all(contenders.map(each => each.stop()))
  }
}

function pathRows(samples: readonly Sample[], presetName: keyof typeof MODEL_PRESETS): readonly Row[] {
  const preset = MODEL_PRESETS[presetName]
  // A model without latency has no lower bound for the comparison.
  if (preset.tokensPerSecond === Number.POSITIVE_INFINITY) return []
  return (['simple', 'complex'] as const).flatMap(scenario => {
    const own = of(samples, 'clew', scenario).map(sample => ({ sample, path: criticalPath(sample.requests, preset) }))
    if (own.length === 0) return []
    const over = own.map(({ sample, path }) => sample.timeline.complete - path.complete)
    const workload = `${scenario} question, ${presetName}, one user`
    const shown = own.map(({ path }) => path.complete)
    const ratios = own.map(({ sample, path }) => sample.timeline.complete / path.complete)
    return [
      row(`critical_path_${scenario}`, `what the model alone needs: ${workload}`, spread(shown), 'ms'),
      row(
        `critical_path_first_sql_${scenario}`,
        `what the model alone needs for the first SQL: ${workload}`,
        spread(own.map(({ path }) => path.firstSql)),
        'ms',
      ),
      row(
        `critical_path_words_${scenario}`,
        `what the model alone needs for the first sentence: ${workload}`,
        spread(own.map(({ path }) => path.firstWords)),
        'ms',
      ),
      row(`wall_over_path_${scenario}`, `wall ÷ critical path: ${workload}`, spread(ratios), '×', { most: 1.01 }),
      row(`wall_less_path_${scenario}`, `wall less critical path: ${workload}`, spread(over), 'ms', { most: 15 }),
      ...(scenario === 'complex'
        ? [
            row(
              'plan_over_first_element',
              `plan visible ÷ the plan's first data question, asked for at once: ${workload}`,
              spread(own.map(({ sample, path }) => (sample.timeline.plan ?? Number.NaN) / path.firstElementAlone)),
              '×',
              { most: 1.05 },
            ),
          ]
        : []),
    ]
  })
}

/** Divides Clew's figure by the figure of each other program, round by round. */
function ratioRows(samples: readonly Sample[], { peers }: BenchParts): readonly Row[] {
  const ratio = (scenario: ScenarioId, moment: Moment, peer: string, peerMoment: Moment) =>
    ratios(
      samples,
      scenario,
      peer,
      ({ timeline }) => timeline[moment],
      ({ timeline }) => timeline[peerMoment],
    )
  const tokens = (scenario: ScenarioId) => ratios(samples, scenario, 'barriers', tokensOf, tokensOf)
  const cost = (scenario: ScenarioId) => ratios(samples, scenario, 'barriers', costOf, costOf)
  const rows: Row[] = []
  const add = (id: string, workload: string, value: Spread | undefined, most?: number) => {
    if (value !== undefined) rows.push(row(id, workload, value, '×', most === undefined ? undefined : { most }))
  }
  if (peers.includes('barriers')) {
    add(
      'complete_simple_barriers',
      'complete answer ÷ barriers: simple',
      ratio('simple', 'complete', 'barriers', 'complete'),
      0.5,
    )
    add(
      'words_complex_barriers',
      'first words ÷ barriers: complex',
      ratio('complex', 'first_words', 'barriers', 'first_words'),
      0.5,
    )
    add(
      'complete_complex_barriers',
      'complete answer ÷ barriers: complex',
      ratio('complex', 'complete', 'barriers', 'complete'),
      0.8,
    )
    add(
      'data_simple_barriers',
      "first data ÷ barriers' complete: simple",
      ratio('simple', 'first_data', 'barriers', 'complete'),
      0.25,
    )
    add(
      'data_complex_barriers',
      "first data ÷ barriers' complete: complex",
      ratio('complex', 'first_data', 'barriers', 'complete'),
      0.3,
    )
    add(
      'words_verified_barriers',
      "first words ÷ barriers': verified query",
      ratio('verified', 'first_words', 'barriers', 'first_words'),
      0.15,
    )
    add('tokens_simple_barriers', 'tokens ÷ barriers: simple', tokens('simple'), 1.2)
    add('tokens_complex_barriers', 'tokens ÷ barriers: complex', tokens('complex'), 1)
    add('tokens_verified_barriers', 'tokens ÷ barriers: verified query', tokens('verified'), 0.3)
    add('cost_simple_barriers', 'cost ÷ barriers: simple', cost('simple'))
    add('cost_complex_barriers', 'cost ÷ barriers: complex', cost('complex'))
  }
  if (peers.includes('ai-sdk')) {
    add('complete_simple_ai_sdk', 'complete answer ÷ AI SDK: simple', ratio('simple', 'complete', 'ai-sdk', 'complete'), 1.05)
    add('complete_complex_ai_sdk', 'complete answer ÷ AI SDK: complex', ratio('complex', 'complete', 'ai-sdk', 'complete'), 1)
  }
  return rows
}

/** Returns the figures of all programs. These rows have no goals. */
function shownRows(samples: readonly Sample[], name: string): readonly Row[] {
  return SCENARIOS.flatMap(scenario => {
    const own = of(samples, name, scenario)
    const moments = (['plan', 'first_data', 'first_words', 'complete'] as const).flatMap(moment => {
      const values = own.map(({ timeline }) => timeline[moment]).filter(value => value !== undefined)
      return values.length === 0
        ? []
        : [row(`${name}_${scenario}_${moment}`, `${name}, ${scenario}: ${moment.replace('_', ' ')}`, spread(values), 'ms')]
    })
    return own.length === 0
      ? []
      : [
          ...moments,
          row(`${name}_${scenario}_tokens`, `${name}, ${scenario}: tokens`, spread(own.map(tokensOf)), 'tokens'),
          row(`${name}_${scenario}_cost`, `${name}, ${scenario}: cost`, spread(own.map(costOf)), 'tokens'),
        ]
  })
}

/** Counts the tokens of prompts and answers. Cached tokens count too. Of an interrupted answer, only the tokens that were sent count. */
function tokensOf({ requests }: Sample): number {
  return requests.reduce((sum, { promptTokens, sentTokens }) => sum + promptTokens + sentTokens, 0)
}

/**
 * Weighs tokens by their price, in uncached tokens of a prompt. A cached one costs a tenth, and a written one four times as much.
 */
function costOf({ requests }: Sample): number {
  return requests.reduce(
    (sum, { promptTokens, cachedTokens, sentTokens }) => sum + promptTokens - 0.9 * cachedTokens + 4 * sentTokens,
    0,
  )
}

function ratios(
  samples: readonly Sample[],
  scenario: ScenarioId,
  peer: string,
  own: (sample: Sample) => number | undefined,
  theirs: (sample: Sample) => number | undefined,
): Spread | undefined {
  const values = of(samples, 'clew', scenario).flatMap(sample => {
    const other = of(samples, peer, scenario).find(({ round }) => round === sample.round)
    const [first, second] = [own(sample), other && theirs(other)]
    return first === undefined || second === undefined ? [] : [first / second]
  })
  return values.length === 0 ? undefined : spread(values)
}

function of(samples: readonly Sample[], contender: string, scenario: ScenarioId): readonly Sample[] {
  return samples.filter(sample => sample.contender === contender && sample.scenario === scenario)
}
