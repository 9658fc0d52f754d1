import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { loadDomainPack } from './pack.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-domain-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function pack(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return loadDomainPack(folder)
}

const VERIFIED = `- question: How many?
  sql: |
    SELECT count()
    FROM shop.orders
  verified_by: Ann
  verified_at: 2026-10-01
`

describe('loadDomainPack', () => {
  it('gives the overview to all steps, metrics to those that write SQL, and verified queries unchanged', async () => {
    const { overview, full, metrics, verifiedQueries } = await pack({
      'CATALOG.md': '\nA shop.\n',
      'glossary.yaml': '- term: GMV\n  also: [sales, "gross sales"]\n  means: >-\n    Gross merchandise\n    value.\n',
      'metrics.yaml':
        '- name: turnover\n  sql: sum(amount)\n  from: shop.orders\n  where: paid\n  grain: an order\n  dimensions: [city]\n  unit: EUR\n  description: Net.\n',
      'verified-queries.yaml': VERIFIED,
    })
    expect(overview).toBe(
      '# About this data\n\nA shop.\n\n# Glossary\n\n- **GMV** (also "sales", "gross sales"): Gross merchandise value.',
    )
    expect(full).toBe(
      `${overview}\n\n# Metric definitions\n\n- **turnover** in EUR: \`sum(amount)\` from shop.orders where \`paid\` (one row is an order), by city. Net.`,
    )
    expect(metrics.map(({ name }) => name)).toEqual(['turnover'])
    expect(verifiedQueries).toEqual([
      { question: 'How many?', sql: 'SELECT count()\nFROM shop.orders\n', verified_by: 'Ann', verified_at: '2026-10-01' },
    ])
  })

  it('accepts any single file, and skips empty ones', async () => {
    expect(await pack({ 'CATALOG.md': ' \n', 'glossary.yaml': '', 'metrics.yaml': '[]' })).toMatchObject({
      overview: '',
      full: '',
    })
  })

  it.each([
    ['glossary.yaml', '- term: a\n  means: b\n- term: c\n', /glossary\.yaml, line 3: means is missing\. docs/],
    [
      'metrics.yaml',
      '- name: a\n  sql: b\n',
      /metrics\.yaml, line 1: from is missing\n- metrics\.yaml, line 1: grain is missing\n/,
    ],
    [
      'verified-queries.yaml',
      VERIFIED.replace('2026-10-01', 'soon'),
      /verified-queries\.yaml, line \d: verified_at must be a day, such as 2026-01-31\. docs/,
    ],
    ['verified-queries.yaml', `${VERIFIED}  who: me\n`, /verified-queries\.yaml, line \d: who is not a known key\. docs/],
    ['glossary.yaml', '- term: [\n', /glossary\.yaml, line \d, column \d: this is not YAML: /],
    ['glossary.yaml', 'GMV: sales\n', /glossary\.yaml, line 1: the file must be a list\. docs/],
  ])('names the place of a mistake in %s', async (file, text, message) => {
    await expect(pack({ [file]: text })).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(message),
    })
  })

  it('names the mistakes of all files at once', async () => {
    const files = {
      'glossary.yaml': '- term: a\n',
      'metrics.yaml': '- 7\n',
      'verified-queries.yaml': VERIFIED.replace('2026-10-01', '7'),
    }
    await expect(pack(files)).rejects.toThrow(
      /is wrong:\n- glossary\.yaml, line 1: means is missing\n- metrics\.yaml, line 1: the entry must be keys with values\n- verified-queries\.yaml, line \d: verified_at must be a text\ndocs\/domain\.md tells/,
    )
  })

  it('refuses a folder without any of its files, and a path that is no folder', async () => {
    await expect(pack({ 'other.md': 'x' })).rejects.toThrow(
      /CLEW_DOMAIN_DIR is .*, which is not there or holds none of CATALOG\.md, glossary\.yaml/,
    )
    await expect(loadDomainPack(join(folder, 'nowhere'))).rejects.toThrow(/nowhere, which is not there or holds none of/)
  })

  it('names an unreadable file', async () => {
    await mkdir(join(folder, 'glossary.yaml'))
    await expect(loadDomainPack(folder)).rejects.toThrow(/glossary\.yaml of the domain pack cannot be read/)
  })
})
