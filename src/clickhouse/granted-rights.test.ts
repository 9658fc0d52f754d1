import { describe, expect, it } from '@jest/globals'
import { excessRights, readGrants } from './granted-rights.ts'

const excess = (...lines: string[]) => excessRights(readGrants(lines), ['sales', 'hr', 'we`ird'])

describe('excessRights', () => {
  it("finds nothing wrong with a reader's rights", () => {
    expect(
      excess(
        'GRANT SELECT ON sales.* TO clew_reader',
        'GRANT SELECT(id, name), SHOW TABLES ON hr.people TO clew_reader',
        'GRANT dictGet ON sales.* TO `clew reader`',
        'REVOKE SELECT ON sales.salaries FROM clew_reader',
      ),
    ).toEqual([])
  })

  it('names every right that writes, reaches outside, or covers everything', () => {
    expect(excess('GRANT SELECT, INSERT, ALTER ON sales.* TO clew_reader')).toEqual(['INSERT, ALTER on sales.*'])
    expect(excess('GRANT READ ON URL TO clew_reader')).toEqual(['READ on URL'])
    expect(excess('GRANT SELECT ON *.* TO clew_reader')).toEqual(['SELECT on every database'])
    expect(excess('GRANT SELECT ON sales.* TO clew_reader WITH GRANT OPTION')).toEqual([
      'the right to pass on its rights on sales.*',
    ])
  })

  it('names readable objects outside the configured databases', () => {
    expect(excess('GRANT SELECT ON sales.* TO x', 'GRANT SELECT(a) ON hr.t TO x', 'GRANT SELECT ON `we\\`ird`.* TO x')).toEqual(
      [],
    )
    expect(excess('GRANT SELECT ON payroll.* TO x', 'GRANT SELECT ON system.* TO x', 'GRANT SELECT(k) ON `o.o`.t TO x')).toEqual([
      'SELECT on payroll.*, which is not asked about',
      'SELECT on system.*, which is not asked about',
      'SELECT on `o.o`.t, which is not asked about',
    ])
  })

  it('shortens a long list', () => {
    expect(excess('GRANT A, B, C, D, E, F, G ON *.* TO x')).toEqual(['A, B, C, D, E and 2 more on *.*'])
  })

  it('includes unknown lines, and roles with hidden rights', () => {
    expect(excess('GRANT admin TO clew_reader')).toEqual(['admin'])
    expect(excess('ALLOW everything')).toEqual(['ALLOW everything'])
  })
})
