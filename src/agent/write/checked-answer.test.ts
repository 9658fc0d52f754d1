import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { CitationChecker } from '../../answer-check/citation-checker.ts'
import { withoutBraces } from '../../answer-check/formulas/braces.ts'
import { CheckedAnswer, type CheckedAnswerDeps } from './checked-answer.ts'

const WRONG = { kind: 'unsupported', problems: [{ text: '7', reason: '7 is not in the rows of Q1' }] } as const

/** Returns parts for a check that rejects each unit with a 7 and treats headings as uncited. */
function deps(given: Partial<CheckedAnswerDeps> = {}): CheckedAnswerDeps {
  return {
    *check(unit) {
      yield
      const shown = withoutBraces(unit)
      return unit.includes('7')
        ? { ...WRONG, shown }
        : { kind: unit.includes('#') ? 'uncited' : 'supported', problems: [], shown }
    },
    unverified: 'unverified',
    mark: () => () => {},
    end: () => ({ kind: 'uncited', problems: [] }),
    rewrite: async () => undefined,
    onGrown: () => {},
    ...given,
  }
}

async function run(text: string, given: Partial<CheckedAnswerDeps> = {}) {
  const answer = new CheckedAnswer(deps(given))
  for (const piece of text.match(/.{1,5}/gs) ?? []) answer.add(piece)
  return answer.end()
}

describe('CheckedAnswer', () => {
  it('releases supported text as written', async () => {
    const text = '### Links\n- a: 1 [Q1]\n- b: 2 [Q1]'
    expect(await run(text)).toMatchObject({ markdown: text, citations: { checked: 2, unsupported: [] } })
  })

  it('checks nothing before `ready` has settled', async () => {
    let makeReady = (): void => undefined
    let isReady = false
    const ready = new Promise<void>(resolve => {
      makeReady = resolve
    })
    const checked: boolean[] = []
    const running = run('There are links [Q1]. There are more [Q1].', {
      ready,
      *check() {
        yield
        checked.push(isReady)
        return { kind: 'supported', problems: [], shown: '' }
      },
    })
    await new Promise(setImmediate)
    isReady = true
    makeReady()
    expect((await running).citations.checked).toBe(2)
    expect(checked).toEqual([true, true])
  })

  it('lets other work run during a slow check of one sentence', async () => {
    let turns = 0
    let isOver = false
    const others = () => {
      turns++
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)

    await run('There are five links [Q1].', {
      *check() {
        for (let part = 0; part < 5; part++) {
          const began = performance.now()
          while (performance.now() - began < 11);
          yield
        }
        return { kind: 'supported', problems: [], shown: '' }
      },
    })
    isOver = true

    expect(turns).toBeGreaterThanOrEqual(5)
  })

  it('removes workings from released sentences, supported or not', async () => {
    const text = 'Two {= count(a < 3)} links [Q1]. Then 7 {= sum(a. b)} more [Q1].'
    expect(await run(text)).toMatchObject({
      markdown: 'Two links [Q1]. Then 7 more [Q1]. _(unverified)_',
      citations: { checked: 2, unsupported: ['Then 7 more [Q1].'] },
    })
  })

  it('has a wrong sentence rewritten with the reason, and hides the first version', async () => {
    const shown: string[] = []
    const asked: unknown[] = []
    const { markdown, citations } = await run('There are 7 links [Q1]. All is well [Q1].', {
      rewrite: async (sentence, problems) => {
        asked.push([sentence, problems])
        return 'There are 6 links [Q1].'
      },
      onGrown: grown => shown.push(grown),
    })
    expect(markdown).toBe('There are 6 links [Q1]. All is well [Q1].')
    expect(citations.unsupported).toEqual([])
    expect(asked).toEqual([['There are 7 links [Q1].', WRONG.problems]])
    expect(shown.join('')).not.toContain('7')
  })

  it('marks and counts a sentence that stays wrong', async () => {
    expect(await run('There are 7 links [Q1].', { rewrite: async () => 'There are 17 links [Q1].' })).toMatchObject({
      markdown: 'There are 7 links [Q1]. _(unverified)_',
      citations: { checked: 1, unsupported: ['There are 7 links [Q1].'] },
    })
  })

  describe('with the check itself', () => {
    const sales = queryReport({
      columns: [
        { name: 'shop', type: 'String' },
        { name: 'sold', type: 'UInt64' },
      ],
      rows: [
        ['Berlin', '40'],
        ['Oslo', '20'],
      ],
    })
    async function written(text: string, rewritten: string) {
      const checker = new CitationChecker([sales], { question: 'How much by shop?' })
      const { markdown } = await run(text, {
        check: unit => checker.checkInParts(unit),
        unverified: 'unverified',
        mark: () => checker.mark(),
        end: () => checker.end(),
        rewrite: async () => rewritten,
      })
      return markdown
    }

    it('keeps the sources of the figures that it releases as supported, and of no others', async () => {
      const sourcesOf = async (text: string, rewritten: string) => {
        const checker = new CitationChecker([sales], { question: 'How much by shop?' })
        const { figures } = await run(text, {
          check: unit => checker.checkInParts(unit),
          mark: () => checker.mark(),
          end: () => checker.end(),
          rewrite: async () => rewritten,
        })
        return figures.map(({ text: figure, cells: [cell] }) => [figure, cell?.name])
      }
      const oslo = 'Oslo sold 20 {=B2} [Q1].'
      expect(await sourcesOf(`${oslo} Berlin sold 41 {=B1} [Q1].`, 'Berlin sold 40 {=B1} [Q1].')).toEqual([
        ['20', 'Oslo'],
        ['40', 'Berlin'],
      ])
      expect(
        await sourcesOf(`Berlin sold 41 {=B1} [Q1]. ${oslo}`, 'Berlin sold 40 {=B1} [Q1]. Oslo sold 99 {=B2} [Q1].'),
      ).toEqual([['20', 'Oslo']])
    })

    it.each([
      ['They sold hardly anything.'],
      ['# Berlin sold 99'],
      ['```x``` Berlin sold 99'],
      ['```\nBerlin sold 99\n```'],
      ['# Sales\nThey sold 99 everywhere.'],
      ['# Sales\nBerlin sold 40 [Q1].'],
      ['| sold | 99 |'],
      ['- Berlin sold 40 [Q1].'],
      ['Berlin sold 40 [Q1]. The manager was fired.'],
      ['Berlin sold 40 [Q1]. Oslo sold 99 [Q1].'],
      ['Berlin sold 40 [Q1].\n\nThey sold 99 in total.'],
      [''],
    ])('refuses a rewrite that says nothing checkable, or is no sentence: %s', async rewritten => {
      expect(await written('Berlin sold 41 [Q1].', rewritten)).toBe('Berlin sold 41 [Q1]. _(unverified)_')
    })

    it.each([
      ['Berlin sold 41 [Q1].', 'Berlin sold 40 [Q1].'],
      ['Berlin sold 41 [Q1].', 'Berlin sold 40 [Q1]. Oslo sold 20 [Q1].'],
      ['- Berlin sold 41 [Q1].', '- Berlin sold 40 [Q1].'],
      ['- Berlin sold 41 [Q1].', '- Berlin sold 40 [Q1]. Oslo sold 20 [Q1].'],
    ])('accepts a rewrite that holds: %s', async (text, rewritten) => {
      expect(await written(text, rewritten)).toBe(rewritten)
    })

    it('does not blame a rewrite for the missing citation of the table above', async () => {
      const table = '| shop | sold |\n|---|---|\n| Berlin | 40 |\n\n'
      expect(await written(`${table}All is well.`, 'All is very well.')).toBe(`${table}All is well. _(unverified)_`)
      expect(await written(`${table}All is well.`, 'Berlin is ahead [Q1].')).toBe(`${table}Berlin is ahead [Q1].`)
    })

    it('continues from the released sentence, not from the refused one', async () => {
      expect(await written('The shops, 99 in all [Q9]:\n- Berlin: 40', 'The shops [Q1]:')).toBe('The shops [Q1]:\n- Berlin: 40')
    })
  })

  describe('with formulas', () => {
    const sales = queryReport({
      columns: [
        { name: 'shop', type: 'String' },
        { name: 'sold', type: 'UInt64' },
      ],
      rows: [
        ['St. Ives. {sum(sold)}', '40'],
        ['Oslo', '20'],
      ],
    })
    async function written(text: string, rewritten?: string) {
      const checker = new CitationChecker([sales], { question: 'How much by shop?' })
      const shown: string[] = []
      const { markdown, citations } = await run(text, {
        check: unit => checker.checkInParts(unit),
        mark: () => checker.mark(),
        end: () => checker.end(),
        rewrite: async () => rewritten,
        onGrown: grown => shown.push(grown),
      })
      expect(shown.join('')).not.toMatch(/[{}]/)
      return { markdown, unsupported: citations.unsupported }
    }

    it('writes their figures while the answer streams', async () => {
      expect(
        await written(
          "Both sold {sum(sold)} together [Q1]. Oslo sold {100 * sold['Oslo'] / sum(sold): 1} % of it [Q1].\n- {count(shop != 'St. Ives. X'): word} shops sold more than 1 [Q1].",
        ),
      ).toEqual({
        markdown: 'Both sold 60 together [Q1]. Oslo sold 33.3 % of it [Q1].\n- Two shops sold more than 1 [Q1].',
        unsupported: [],
      })
    })

    it('shows the rewrite of a formula that cannot be read', async () => {
      expect(
        await written('Both sold {sum(sol)} together [Q1]. Oslo sold 20 [Q1].', 'Both sold {sum(sold)} together [Q1].'),
      ).toEqual({
        markdown: 'Both sold 60 together [Q1]. Oslo sold 20 [Q1].',
        unsupported: [],
      })
    })

    it('leaves a sentence out if its rewrite cannot be read either', async () => {
      for (const rewritten of [undefined, 'Both sold {sum(sol)} [Q1].', 'Both sold {sum(sold)} [Q1]. And {sum(} more [Q1].'])
        expect(
          await written('Oslo sold 20 [Q1]. Both sold {sum(sol)} {= sum(sold)} together [Q1].\n\nThat is all.', rewritten),
        ).toEqual({
          markdown: 'Oslo sold 20 [Q1]. \n\nThat is all.',
          unsupported: ['Both sold … together [Q1].'],
        })
    })

    it('leaves a table row out if it cannot be read', async () => {
      const table = '| Shop | Sold |\n|---|---|\n| Oslo | 20 |\n| Total | {sum(sol)} |\n\n[Q1]'
      expect((await written(table)).markdown).toBe('| Shop | Sold |\n|---|---|\n| Oslo | 20 |\n\n[Q1]')
    })

    it('fails if nothing of the answer can be read', async () => {
      await expect(written('Both sold {sum(sol)} [Q1].')).rejects.toMatchObject({ code: 'model_invalid_output' })
    })
  })

  it('marks a table row in its last cell, without a rewrite', async () => {
    const { markdown } = await run('| a | 7 |\n| b | 2 |\n', { rewrite: () => Promise.reject(new Error('asked')) })
    expect(markdown).toBe('| a | 7 _(unverified)_ |\n| b | 2 |')
  })

  it('sends a bounded number of sentences back', async () => {
    let asked = 0
    const { citations } = await run('It is 7 [Q1].\n'.repeat(9), {
      rewrite: async () => {
        asked++
        return 'It is 17 [Q1].'
      },
    })
    expect([asked, citations.unsupported.length]).toEqual([5, 9])
  })

  it('sends no more sentences back after a failed rewrite', async () => {
    let asked = 0
    const { citations } = await run('It is 7 [Q1].\n'.repeat(9), {
      rewrite: async () => {
        asked++
        return undefined
      },
    })
    expect([asked, citations.unsupported.length]).toEqual([1, 9])
  })

  it('rejects an endless answer, and stops checking it', async () => {
    let checked = 0
    const check = function* () {
      checked++
      yield
      return { kind: 'supported', problems: [], shown: '' } as const
    }
    await expect(run('It is 8 [Q1].\n'.repeat(40_000), { check })).rejects.toMatchObject({ code: 'model_truncated' })
    expect(checked).toBe(1_000)
  })

  it('marks an omission that only the end shows', async () => {
    const reason = 'the table above cites no query'
    const { markdown, citations } = await run('| a | 1 |', {
      end: () => ({ kind: 'unsupported', problems: [{ text: 'the table', reason }] }),
    })
    expect([markdown, citations.unsupported]).toEqual(['| a | 1 |\n\n_(unverified)_', [reason]])
  })

  describe('with a proofreader', () => {
    const text = '### Links\n\nThere are 5 links [Q1]. All are new [Q1].\n- It is 7 [Q1]\n'
    const wrong = [{ line: 3, reason: 'two of them are old' }]

    it('has a line rewritten for the reason that the proofreader gives', async () => {
      const read: string[] = []
      const asked: unknown[] = []
      const shown: string[] = []
      const { markdown, citations } = await run(text, {
        proofread: async lines => {
          read.push(...lines)
          return wrong
        },
        rewrite: async (sentence, problems) => {
          asked.push([sentence, problems.map(({ reason }) => reason)])
          return sentence.includes('new') ? 'Three are new [Q1].' : '- It is 17 [Q1]'
        },
        onGrown: grown => shown.push(grown),
      })
      // The bullet is marked already, so nobody reads it.
      expect(read).toEqual(['### Links', 'There are 5 links [Q1].', 'All are new [Q1].'])
      expect(citations.read).toBe(true)
      expect(asked.at(-1)).toEqual(['All are new [Q1].', ['two of them are old']])
      expect(markdown).toBe('### Links\n\nThere are 5 links [Q1]. Three are new [Q1].\n- It is 7 [Q1] _(unverified)_')
      expect(citations.unsupported).toEqual(['- It is 7 [Q1]'])
      expect(shown.at(-1)).toContain('Three are new')
    })

    it('marks the line if its rewrite fails, once', async () => {
      const { markdown, citations } = await run('There are 5 links [Q1]. All are new [Q1].', {
        proofread: async () => [
          { line: 2, reason: 'two of them are old' },
          { line: 2, reason: 'they are not' },
          { line: 9, reason: 'there is no such line' },
        ],
      })
      expect(markdown).toBe('There are 5 links [Q1]. All are new [Q1]. _(unverified)_')
      expect(citations.unsupported).toEqual(['All are new [Q1].'])
    })

    it('reads no answer that claims nothing', async () => {
      const proofread = () => Promise.reject(new Error('asked'))
      expect(await run('# Nothing', { proofread })).toMatchObject({ markdown: '# Nothing', citations: { checked: 0 } })
      expect((await run('# Nothing', { proofread })).citations).not.toHaveProperty('read')
    })
  })

  it('fails if a rewrite fails for a reason that ends the run', async () => {
    await expect(run('It is 7 [Q1].', { rewrite: () => Promise.reject(new Error('cancelled')) })).rejects.toThrow('cancelled')
  })
})
