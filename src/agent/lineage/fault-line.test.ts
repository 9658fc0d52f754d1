import { describe, expect, it } from '@jest/globals'
import { readFaultLine } from './investigate.ts'

describe('the line that names the fault', () => {
  it.each([
    ['FAULT: vendors', 'vendors'],
    ['**FAULT:** `p_vendors`.', 'p_vendors'],
    ['- FAULT: pipelines.p_vendors', 'pipelines.p_vendors'],
    ['FAULT: {{ rated }}', 'rated'],
    ['FAULT:', undefined],
  ])('is found as %s, and removed from the text', (line, table) => {
    expect(readFaultLine(`The vendor is NULL [E1].\n\n${line}\n`)).toEqual({ findings: 'The vendor is NULL [E1].', table })
  })

  it('is the last one, and never a word within a sentence', () => {
    expect(readFaultLine('FAULT: cves\nIt is a FAULT: of the join.\nFAULT: rated')).toEqual({
      findings: 'It is a FAULT: of the join.',
      table: 'rated',
    })
    expect(readFaultLine('Fault: the join.')).toEqual({ findings: 'Fault: the join.', table: undefined })
  })
})
