import { SCENARIOS, type Scenario } from './scenarios.ts'

/** A scenario as it was asked once: every `{n}` is a number. */
export interface Asked {
  readonly scenario: Scenario
  readonly n: number
}

/** The scenario with its number put in. */
export function asked(id: Scenario['id'], n: number): Asked {
  const scenario = SCENARIOS.find(each => each.id === id)
  if (scenario === undefined) throw new Error(`there is no scenario ${id}`)
  return { scenario: withNumber(scenario, n), n }
}

const patterns = SCENARIOS.map(({ id, question }) => ({
  id,
  pattern: new RegExp(question.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&').replaceAll('{n}', '(\\d+)'), 'g'),
}))

/** The question that a prompt asks last; undefined where it asks none that is known. */
export function askedIn(prompt: string): Asked | undefined {
  const found = patterns.flatMap(({ id, pattern }) => [...prompt.matchAll(pattern)].map(match => ({ id, match })))
  const last = found.sort((first, second) => first.match.index - second.match.index).at(-1)
  return last && asked(last.id, Number(last.match[1] ?? 0))
}

/** The words alone, for whoever does not say where figures come from. */
export function withoutWorkings(answer: string): string {
  return answer.replaceAll(/ ?\{= [^}]*\}/g, '')
}

function withNumber(scenario: Scenario, n: number): Scenario {
  const filled = (text: string) => text.replaceAll('{n}', String(n))
  return {
    ...scenario,
    question: filled(scenario.question),
    dataQuestions: scenario.dataQuestions.map(({ question, sql, explanation }) => ({
      question: filled(question),
      sql: filled(sql),
      explanation: filled(explanation),
    })),
    answer: filled(scenario.answer),
  }
}
