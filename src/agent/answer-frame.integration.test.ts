import { describe, expect, it } from '@jest/globals'
import { AnalystSuite, classified, draft, plan, type Script } from '../../test/support/analyst-suite.ts'

const suite = new AnalystSuite()
const SHOPS = 'SELECT shop, sum(amount) AS amount FROM sales GROUP BY shop ORDER BY shop'
const judged = (verdict: string, reason: string) => () => ({ verdict, reason, suggestion: null })

async function ask(question: string, script: Script) {
  suite.script = script
  const { result } = await (await suite.open()).ask(question)
  return result
}

describe('a right answer', () => {
  it.each<[string, string, Script, string]>([
    ['of one figure', 'How much was sold?', {}, 'They sold 60 [Q1].'],
    [
      'of none that is certain',
      'Which sales were over 99?',
      {
        generate: () => draft('SELECT day, amount FROM sales WHERE amount > 99'),
        review_empty: judged('expected', 'No sale was over 99.'),
        synthesize: () => 'No sale was over 99 [Q1].',
      },
      'No sale was over 99 [Q1].',
    ],
    [
      'to a survey, one part of which is empty as expected',
      'How are sales?',
      {
        decompose: () => plan('The sums.', 'Sales over 99.'),
        generate: call =>
          draft(JSON.stringify(call).includes('Sales over 99') ? 'SELECT day FROM sales WHERE amount > 99' : SHOPS),
        review_empty: judged('expected', 'No sale was over 99.'),
        synthesize: () => 'Berlin sold 40 {= amount[1]} [Q1].\n\nNo sale was over 99 [Q2].',
      },
      'Berlin sold 40 [Q1].\n\nNo sale was over 99 [Q2].',
    ],
    [
      'that says what it assumes',
      'What did the shops sell?',
      {
        generate: () => ({ ...draft(SHOPS), deciding_assumptions: ['Days are counted in UTC, returns are left out.'] }),
        synthesize: () => 'Berlin sold 40 {= amount[1]} [Q1].\n\nReturns are left out, and days are counted in UTC.',
      },
      'Berlin sold 40 [Q1].\n\nReturns are left out, and days are counted in UTC.',
    ],
  ])('%s has no frame, and is HIGH', async (_, question, script, answer) => {
    const result = await ask(question, script)
    expect(result).toMatchObject({ answer, note: '', confidence: 'HIGH', confidence_reason: null })
  })

  it('says in which time zone its days begin', async () => {
    const result = await ask('How much was sold in March?', {
      generate: () =>
        draft("SELECT sum(amount) AS amount FROM sales WHERE day BETWEEN '2026-03-01' AND toDate(now('Europe/Berlin'))"),
    })
    expect(result.note).toBe('The data ends on 3 March. Days are those of Europe/Berlin.')
    expect(result.answer).toBe(`They sold 60 [Q1].\n\n${result.note}`)
  })

  it('about a misspelt name says once which name was used instead', async () => {
    let asked = 0
    const result = await ask('What did Berlinn sell?', {
      generate: () => draft(`SELECT sum(amount) AS amount FROM sales WHERE shop = '${asked++ === 0 ? 'Berlinn' : 'Berlin'}'`),
      review_empty: judged('suspicious', 'No shop is called Berlinn.'),
      synthesize: () => 'There is no Berlinn; Berlin sold 40 {= amount[1]} [Q1].',
    })
    expect(result).toMatchObject({ answer: 'There is no Berlinn; Berlin sold 40 [Q1].', note: '', confidence: 'MEDIUM' })
  })

  it('states each doubt once, in words about the data', async () => {
    const assumption = 'The last day is not over yet, so its figure will still grow.'
    const result = await ask('What did the shops sell, and in which colour?', {
      decompose: () => plan('The sums.', 'The colour.'),
      generate: call => ({
        ...draft(JSON.stringify(call).includes('The colour') ? 'SELECT colour FROM sales' : SHOPS),
        deciding_assumptions: [assumption],
      }),
      synthesize: () => 'Berlin sold 40 {= amount[1]} [Q1].',
    })
    const failed = 'Missing: "The colour" (no table that was looked at has a column for it: `colour`).'
    expect(result).toMatchObject({
      answer: `**Partly answered.** ${failed}\n\nBerlin sold 40 [Q1].\n\n**Assumed:** ${assumption}`,
      note: `${failed} ${assumption}`,
      confidence: 'LOW',
      confidence_reason: failed,
    })
  })
})

describe('a German question', () => {
  const german = (script: Script): Script => ({ classify: () => classified({ language: 'de' }), ...script })

  it('has a German frame and German number formats', async () => {
    const result = await ask(
      'Wie viel wurde verkauft, und in welcher Farbe?',
      german({
        decompose: () => plan('Die Summe.', 'Die Farbe.'),
        generate: call => ({
          ...draft(JSON.stringify(call).includes('Die Farbe') ? 'SELECT colour FROM sales' : SHOPS),
          deciding_assumptions: ['Retouren zählen nicht.'],
        }),
        synthesize: () => 'Berlin verkaufte 40 {= amount[1]} [Q1].\n\nOslo verkaufte 21 {= amount[2]} [Q1].',
        rewrite: () => 'Oslo verkaufte 22 {= amount[2]} [Q1].',
      }),
    )
    const failed = 'Es fehlt: „Die Farbe“ (keine der Tabellen, in denen ich gesucht habe, hat eine Spalte dafür: `colour`).'
    expect(result.answer).toBe(
      `**Nur zum Teil beantwortet.** ${failed}\n\nBerlin verkaufte 40 [Q1].\n\nOslo verkaufte 21 [Q1]. _(nicht belegt)_\n\n**Annahme:** Retouren zählen nicht.`,
    )
    expect(result).toMatchObject({ language: 'de', confidence: 'LOW' })
  })

  it('makes the thread German, even for words before the next message is read', async () => {
    suite.script = german({})
    const { ask: inThread, events } = await suite.open()
    await inThread('Wie viel wurde verkauft?', { thread: 't' })
    suite.script = { classify: () => classified(), generate: () => draft('SELECT colour FROM sales') }
    const { result } = await inThread('30', { thread: 't' })
    expect(result.answer).toContain('Das konnte ich nicht beantworten')
    expect(events.flatMap(event => (event.kind === 'question_understood' ? event.language : []))).toEqual([
      'de',
      'de',
      'de',
      'de',
    ])
  })

  it('is recognised by the platform if nothing else tells', async () => {
    suite.script = { classify: () => classified({ intent: 'catalog', catalog_request: 'describe', table: 'nosuch' }) }
    const { ask: asked } = await suite.open()
    expect((await asked('nosuch?', { language: 'de' })).result.answer).toContain('Eine Tabelle `nosuch` gibt es nicht')
    suite.script = {
      classify: () => classified({ intent: 'catalog', catalog_request: 'describe', table: 'nosuch', language: 'fr' }),
    }
    expect((await asked('nosuch?', { language: 'de' })).result.answer).toContain('There is no table `nosuch`')
  })
})
