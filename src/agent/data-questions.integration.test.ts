import { describe, expect, it } from '@jest/globals'
import { createGate } from '../../test/emulators/gate.ts'
import type { ModelScript } from '../../test/emulators/model/model-script.ts'
import { answer, stall, status } from '../../test/emulators/model/model-scripts.ts'
import { AnalystSuite, dataQuestion, draft, ENDLESS, plan, type Script } from '../../test/support/analyst-suite.ts'
import { until } from '../../test/support/queue-harness.ts'
import { fenced, promptOf } from '../../test/support/scripted-analyst.ts'

const suite = new AnalystSuite()

function heldPlan(until: Promise<void>, ...questions: readonly string[]): ModelScript {
  const text = JSON.stringify(plan(...questions))
  const at = text.lastIndexOf('{"question"')
  return answer(text, { pieces: [text.slice(0, at), text.slice(at)], hold: { piece: 1, until } })
}

describe('data questions', () => {
  it('are written in parallel as soon as they are known, before the plan ends', async () => {
    const gate = createGate()
    suite.script = {
      decompose: () => heldPlan(gate.opened, 'First.', 'Second.', 'Third.'),
      generate: call =>
        answer(draft('SELECT sum(amount) FROM sales'), { ...(dataQuestion(call) === 'Third.' ? {} : { after: gate.opened }) }),
      synthesize: () => 'Sixty [Q1], sixty [Q2] and sixty [Q3].',
    }
    const index = suite.model.callsOf('generate').length
    const { ask } = await suite.open()
    const asked = ask('How much?')
    const early = await Promise.all([suite.model.arrival('generate', index), suite.model.arrival('generate', index + 1)])
    expect(early.map(dataQuestion).sort()).toEqual(['First.', 'Second.'])
    gate.open()
    const { result } = await asked
    expect(result.queries.map(query => [query.id, query.question, query.rows])).toEqual([
      ['Q1', 'First.', [['60']]],
      ['Q2', 'Second.', [['60']]],
      ['Q3', 'Third.', [['60']]],
    ])
  })

  it('run in parallel', async () => {
    suite.script = {
      decompose: () => plan('First.', 'Second.'),
      generate: () => draft(ENDLESS),
    }
    const controller = new AbortController()
    const { ask } = await suite.open()
    const asked = ask('How much?', { signal: controller.signal })
    await until('both queries run', async () => (await suite.running()) === 2)
    controller.abort()
    await expect(asked).rejects.toBeDefined()
    expect(await suite.running()).toBe(0)
  })

  it('of a discarded plan leave no running query and no trace in the answer', async () => {
    const planned = { ...plan('Void.', 'Void too.'), clarification: 'not an object' }
    let plans = 0
    const [gate, ended] = [createGate(), createGate()]
    suite.script = {
      decompose: () => {
        plans++
        if (plans > 1) return plan('The sum.')
        const text = JSON.stringify(planned)
        const at = text.indexOf(',"clarification"')
        return answer(text, { pieces: [text.slice(0, at), text.slice(at)], hold: { piece: 1, until: gate.opened } })
      },
      generate: call =>
        dataQuestion(call) === 'The sum.'
          ? answer(draft('SELECT sum(amount) FROM sales'), { after: ended.opened })
          : draft(ENDLESS),
    }
    const { ask, events } = await suite.open()
    const asked = ask('How much?')
    await until('both void queries run', async () => (await suite.running()) === 2)
    gate.open()
    // The queries end now, although the run goes on.
    await until('the void queries have ended', async () => (await suite.running()) === 0)
    ended.open()
    const { result } = await asked
    expect(plans).toBe(2)
    expect(result.queries.map(query => [query.id, query.question, query.error])).toEqual([['Q1', 'The sum.', null]])
    expect(events).toContainEqual({ kind: 'data_question_dropped', id: 'Q2' })
  })

  it('that fail are noted above an answer from the others, where claims about them stay unverified', async () => {
    suite.script = {
      decompose: () => plan('The sum.', 'The colour.'),
      generate: call => draft(dataQuestion(call) === 'The sum.' ? 'SELECT sum(amount) FROM sales' : 'SELECT colour FROM sales'),
      synthesize: () => 'They sold 60 [Q1]. It is red [Q2].',
      rewrite: () => 'It is blue [Q2].',
    }
    const { ask, events } = await suite.open()
    const { result } = await ask('How much, and which colour?')
    expect(result.answer).toBe(
      '**Partly answered.** Missing: "The colour" (no table that was looked at has a column for it: `colour`).\n\nThey sold 60 [Q1]. It is red [Q2]. _(unverified)_',
    )
    expect(result.citations).toEqual({ checked: 2, unsupported: ['It is red [Q2].'] })
    const grown = events.flatMap(event => (event.kind === 'answer_grown' ? [event.markdown] : []))
    expect(grown.at(-1)).toBe(result.answer)
    expect(grown.filter(markdown => !markdown.startsWith('**Partly answered.** Missing: "The colour"'))).toEqual([])
  })

  it('are answered without the one whose model went away', async () => {
    suite.script = {
      decompose: () => plan('The sum.', 'The count.'),
      generate: call => (dataQuestion(call) === 'The sum.' ? draft('SELECT sum(amount) AS amount FROM sales') : status(500)),
    }
    const { result } = await (await suite.open()).ask('How much, and how many?')
    expect(result.answer).toBe(
      '**Partly answered.** Missing: "The count" (the language model could not be reached).\n\nThey sold 60 [Q1].',
    )
    expect(result.queries.map(query => query.error === null)).toEqual([true, false])
  })

  it('are shown as rows if no model puts them into words', async () => {
    suite.script = { synthesize: () => status(500) }
    const { result } = await (await suite.open()).ask('How much?')
    expect(result.answer).toContain('| amount |\n| --- |\n| 60 |')
    expect(result.citations).toBeNull()
  })

  it('are shown as rows if the time of the run ends while the answer is written', async () => {
    suite.script = { synthesize: () => stall('They sold') }
    const { ask } = await suite.open({ runTimeoutMs: 4_000 })
    const { result } = await ask('How much?')
    expect(result.answer).toContain('| amount |\n| --- |\n| 60 |')
  })

  it('with a wrong figure in the answer get the right one after one rewrite', async () => {
    suite.script = {
      synthesize: () => 'They sold 61 [Q1].',
      rewrite: call => (fenced(promptOf(call), 'problems').includes('61') ? 'They sold 60 [Q1].' : 'What?'),
    }
    const { ask, events } = await suite.open()
    const { result } = await ask('How much?')
    expect([result.answer, result.citations]).toEqual(['They sold 60 [Q1].', { checked: 1, unsupported: [] }])
    expect(JSON.stringify(events)).not.toContain('sold 61')
  })

  describe('with an answer whose words do not follow', () => {
    const words: Script = {
      synthesize: () => 'They lost {sum(amount)} [Q1].',
      rewrite: call =>
        fenced(promptOf(call), 'problems').includes('sold, not lost') ? 'They sold {sum(amount)} [Q1].' : 'What?',
      proofread: () => ({ wrong: [{ line: 1, why: 'The amounts were sold, not lost.' }] }),
    }

    it('get it put right by a proofreader who sees the rows and where the figures come from', async () => {
      suite.script = words
      const calls = suite.calls('proofread')
      const { result } = await (await suite.open({ proofreadMs: 10_000 })).ask('How much?')
      expect([result.answer, result.citations?.read]).toEqual(['They sold 60 [Q1].', true])
      const [prompt, ...others] = calls().map(promptOf)
      expect(others).toEqual([])
      expect(fenced(prompt ?? '', 'answer')).toBe('1. They lost 60 [Q1].')
      expect(fenced(prompt ?? '', 'figures')).toBe('60: Q1, amount of all 1')
      expect(fenced(prompt ?? '', 'result')).toContain('| 1 | 60 |')
    })

    it('get it as it stands if nobody proofreads, or if no model can', async () => {
      suite.script = words
      const calls = suite.calls('proofread')
      expect((await (await suite.open()).ask('How much?')).result.answer).toBe('They lost 60 [Q1].')
      expect(calls()).toEqual([])
      for (const proofread of [() => 'All is well.', () => status(500)]) {
        suite.script = { ...words, proofread }
        const { result } = await (await suite.open({ proofreadMs: 10_000 })).ask('How much?')
        expect([result.answer, result.confidence]).toEqual([
          'They lost 60 [Q1].\n\nThe figures are checked, but nobody could read the words around them.',
          'MEDIUM',
        ])
      }
    })

    it('get it as it stands if the proofreader takes too long, which the time limit of the run does not count', async () => {
      suite.script = { ...words, proofread: () => stall('{"wrong": [{"line": 1,') }
      const { ask } = await suite.open({ proofreadMs: 6_500, runTimeoutMs: 6_000 })
      const { result } = await ask('How much?')
      expect([result.answer, result.citations?.unread]).toEqual([expect.stringContaining('They lost 60 [Q1].'), true])
    })
  })
})

describe('a plan', () => {
  it.each([
    [
      'a clarifying question',
      { clarification: { question: 'Which shop?', choices: ['Berlin', 'Oslo'] } },
      'Which shop?\n\n1. Berlin\n2. Oslo',
    ],
    ['a reason for refusal', { error: 'Nothing is known of colours.' }, 'Nothing is known of colours.'],
  ])('may be %s, and then nothing is queried', async (_, changes, expected) => {
    suite.script = { decompose: () => ({ ...plan(), ...changes }) }
    const generated = suite.calls('generate')
    const { result } = await (await suite.open()).ask('How much?')
    expect([result.answer, result.queries, generated()]).toEqual([expected, [], []])
  })

  it('with empty texts instead of nulls is valid', async () => {
    suite.script = { decompose: () => ({ ...plan('The sum.'), error: '', clarification: { question: ' ', choices: [] } }) }
    expect((await (await suite.open()).ask('How much?')).result.answer).toBe('They sold 60 [Q1].')
  })

  it('that is invalid or empty becomes the whole question', async () => {
    for (const reply of ['what?', plan()]) {
      suite.script = { decompose: () => reply }
      const { result } = await (await suite.open()).ask('How much?')
      expect(result.queries.map(query => query.question)).toEqual(['How much was sold?'])
    }
  })

  it('has at most six data questions', async () => {
    suite.script = { decompose: () => plan('1', '2', '3', '4', '5', '6', '7', '8') }
    const { result } = await (await suite.open()).ask('How much?')
    expect(result.queries.map(query => query.question)).toEqual(['1', '2', '3', '4', '5', '6'])
    const note = 'Not looked up, because it was too much at once: "7"; "8". Ask for it separately.'
    expect(result).toMatchObject({ confidence: 'MEDIUM', confidence_reason: note, note })
    expect(result.answer).toBe(`**Partly answered.** ${note}\n\nThey sold 60 [Q1].`)
  })
})
