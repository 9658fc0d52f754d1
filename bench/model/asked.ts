import { SCENARIOS, type Scenario } from './scenarios.ts'

/** One asking of a scenario, with a number for `{n}`. */
export interface Asked {
  readonly scenario: Scenario
  readonly n: number
}

/** Fills in the scenario's number. */
export function asked(id: Scenario['id'], n: number): Asked {
  const scenario = SCENARIOS.find(each => each.id === id)
  if (scenario === undefined) throw new Error(`there is no scenario ${id}`)
  return { scenario: withNumber(scenario, n), n }
}

const patterns = SCENARIOS.map(({ id, question }) => ({
  id,
  pattern: new RegExp(question.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&').replaceAll('{n}', '(\\d+)'), 'g'),
}))

/** Returns the last known question in a prompt, or undefined. */
export function askedIn(prompt: string): Asked | undefined {
  const found = patterns.flatMap(({ id, pattern }) => [...prompt.matchAll(pattern)].map(match => ({ id, match })))
  const last = found.sort((first, second) => first.match.index - second.match.index).at(-1)
  return last && asked(last.id, Number(last.match[1] ?? 0))
}

/** Returns the scenario's answer without workings and with its formulas' text, for programs that use neither. */
export function plainAnswer({ answer, formulas = {} }: Scenario): string {
  return answer.replaceAll(/ ?\{=[^}]*\}/g, '').replaceAll(/\{[^}]*\}/g, formula => formulas[formula] ?? formula)
}

function withNumber(scenario: Scenario, n: number): Scenario {
  const filled = (text: string) => text.replaceAll('{n}', String(n))
  return {
    ...scenario,
    question: filled(scenario.question),
    dataQuestions: scenario.dataQuestions.map(({ question, sql, explanation, ...rest }) => ({
      ...rest,
      question: filled(question),
      sql: filled(sql),
      explanation: filled(explanation),
    })),
    answer: filled(scenario.answer),
  }
}
