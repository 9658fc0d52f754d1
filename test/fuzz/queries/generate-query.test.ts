import { describe, expect, it } from '@jest/globals'
import { generateQuery } from './generate-query.ts'
import { CaseMutator } from './mutate-case.ts'

const cases = CaseMutator.fromFiles()
const queries = Array.from({ length: 5_000 }, (_, index) => generateQuery(7, index, cases))

describe('generateQuery', () => {
  it('generates the same query for the same seed and index, whatever came before', () => {
    for (const index of [4_999, 17, 0]) expect(generateQuery(7, index, cases)).toEqual(queries[index])
    expect(generateQuery(8, 17, cases).sql).not.toBe(queries[17]?.sql)
  })

  it('generates different queries', () => {
    expect(new Set(queries.map(({ sql }) => sql)).size).toBeGreaterThan(queries.length * 0.9)
  })

  it.each(['lab_plain', 'lab_crossed', 'side_view', 'cases'])('also uses the scope %s', role => {
    expect(queries.filter(({ scope }) => scope.role === role).length).toBeGreaterThan(queries.length / 10)
  })

  it.each([
    /\bWITH RECURSIVE\b/,
    /\bMATERIALIZED\b/,
    /\bGLOBAL (NOT )?IN\b/,
    /\bglobalNullIn\(/,
    /\bIN (lab|side)\.\w+/,
    /\bEXISTS \(/,
    /= ANY \(/,
    /-> .*\bIN\b/,
    /\bAPPLY\b/,
    /\bREPLACE \(/,
    /\bEXCEPT \(/,
    /\bCOLUMNS\(/,
    /\bARRAY JOIN\b/,
    /\bASOF\b/,
    /\bSEMI\b/,
    /\bANTI\b/,
    /\bPASTE JOIN\b/,
    /\bNATURAL JOIN\b/,
    /\bUSING\b/,
    /\bWINDOW\b/,
    /\bQUALIFY\b/,
    /\bLIMIT 1 BY\b/,
    /\bWITH TIES\b/,
    /\bINTERPOLATE\b/,
    /\bSTALENESS\b/,
    /\bGROUPING SETS\b/,
    /\bROLLUP\b/,
    /\bCUBE\b/,
    /\bWITH TOTALS\b/,
    /\bPREWHERE\b/,
    /\bSAMPLE\b/,
    /\bFINAL\b/,
    /\bINTERSECT\b/,
    /\bEXCEPT (ALL|DISTINCT)\b/,
    /\bVALUES\b/,
    /\bnumbers\(/,
    /\bmerge\(/,
    /\bremote\(/,
    /\bcluster\(/,
    /\bloop\(/,
    /\bdictGet/,
    /\bjoinGet/,
    /\bfile\(/,
    /\bsystem\./,
    /\binformation_schema\./i,
    /\bp_view\(/,
    /::/,
    /\bCASE\b/,
    / \? /,
    /\bBETWEEN\b/,
    /quantile\(0\.\d\)\(/,
    /FILTER \(WHERE/,
  ])('writes %s', pattern => {
    expect(queries.some(({ sql }) => pattern.test(sql))).toBe(true)
  })
})
