import { describe, expect, it } from '@jest/globals'
import { splitTokens } from '../../warehouse/sql/sql-tokens.ts'
import { UnusualNames } from './unusual-names.ts'

function namesOf(canonical: string): UnusualNames {
  return new UnusualNames(canonical, splitTokens(canonical) ?? [])
}

describe('UnusualNames', () => {
  it('replaces each unusual name by one plain name, and nothing else', () => {
    const names = namesOf("SELECT avg(x) AS `Avg. x`, 'the `Avg. x`, b' AS `b c`, `a, b` FROM t ORDER BY `Avg. x` ASC")
    expect(names.text).toBe("SELECT avg(x) AS renamed_0_, 'the `Avg. x`, b' AS `b c`, renamed_1_ FROM t ORDER BY renamed_0_ ASC")
    expect(names.writtenText('renamed_1_ is not renamed_0_.')).toBe('a, b is not Avg. x.')
    expect(names.written('renamed_1_')).toBe('a, b')
  })

  it('uses names that the query does not have', () => {
    expect(namesOf('SELECT 1 AS renamed_0_, 2 AS `a.b`').text).toBe('SELECT 1 AS renamed_0_, 2 AS renamed__0_')
    expect(namesOf("SELECT 'renamed_' AS `a.b`").text).toBe("SELECT 'renamed_' AS renamed__0_")
  })

  it('does not change a text without unusual names', () => {
    const canonical = 'SELECT `a b`, x.1, (1 - -2) FROM t'
    expect(namesOf(canonical).text).toBe(canonical)
  })
})
