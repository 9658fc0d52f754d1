import { SCENARIOS, type Scenario } from './scenarios.ts'

/** A question of the benchmark. A number replaces `{n}` in its text. */
export interface Asked {
  readonly scenario: Scenario
  readonly n: number
}

/** Returns the question of this kind with this number. */
export function asked(id: Scenario['id'], n: number): Asked {
  const scenario = SCENARIOS.find(each => each.id === id)
  if (scenario === undefined) throw new Error(`there is no scenario ${id}`)
  return { scenario: withNumber(scenario, n), n }
}

const patterns = SCENARIOS.map(({ id, question }) => ({
  id,
  pattern: new RegExp(question.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&').replaceAll('{n}', '(\\d+)'), 'g'),
}))

/** Returns the last question of the benchmark that a prompt contains. Returns undefined if there is none. */
export function askedIn(prompt: string): Asked | undefined {
  const found = patterns.flatMap(({ id, pattern }) => [...prompt.matchAll(pattern)].map(match => ({ id, match })))
  const last = found.sort((first, second) => first.match.index - second.match.index).at(-1)
  return last && asked(last.id, Number(last.match[1] ?? 0))
}

/** Returns an answer for programs without formulas. It contains the formulas' results as text, and no workings. */
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
