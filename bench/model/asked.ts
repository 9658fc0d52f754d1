import { SCENARIOS, type Scenario } from './scenarios.ts'

/** A question of a scenario, with a number in place of `{n}`. */
export interface Asked {
  readonly scenario: Scenario
  readonly n: number
}

/** Returns a scenario's question with this number. */
export function asked(id: Scenario['id'], n: number): Asked {
  const scenario = SCENARIOS.find(each => each.id === id)
  if (scenario === undefined) throw new Error(`there is no scenario ${id}`)
  return { scenario: withNumber(scenario, n), n }
}

const patterns = SCENARIOS.map(({ id, question }) => ({
  id,
  pattern: new RegExp(question.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&').replaceAll('{n}', '(\\d+)'), 'g'),
}))

/** Returns the last known question in a prompt. Undefined if there is none. */
export function askedIn(prompt: string): Asked | undefined {
  const found = patterns.flatMap(({ id, pattern }) => [...prompt.matchAll(pattern)].map(match => ({ id, match })))
  const last = found.sort((first, second) => first.match.index - second.match.index).at(-1)
  return last && asked(last.id, Number(last.match[1] ?? 0))
}

/** Returns the scenario's answer for programs without workings and formulas. It has the texts of the formulas in their place. */
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
