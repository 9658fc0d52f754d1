import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { loadDomainPack } from './domain-pack.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-domain-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function pack(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return loadDomainPack(folder)
}

describe('loadDomainPack', () => {
  it('gives the overview to all steps, and metrics and verified queries to those that write SQL', async () => {
    const { overview, full, questions } = await pack({
      'summary.md': '\nA shop.\n',
      'glossary.md': 'GMV: gross merchandise value.',
      'metrics.md': 'Revenue is net.',
      'verified-queries.jsonl': '{"question":"How many?","sql":"SELECT\\n  count()\\nFROM orders"}\n\n',
    })
    expect(overview).toBe('# About this data\n\nA shop.\n\n# Glossary\n\nGMV: gross merchandise value.')
    expect(full.startsWith(`${overview}\n\n# Metric definitions\n\nRevenue is net.\n\n# Verified queries\n\n`)).toBe(true)
    expect(full).toContain('- How many?\n  SELECT count() FROM orders')
    expect(questions).toEqual(['How many?'])
  })

  it('takes any one of its files, and leaves empty ones out', async () => {
    expect(await pack({ 'metrics.md': 'Revenue is net.', 'summary.md': ' \n' })).toEqual({
      overview: '',
      full: '# Metric definitions\n\nRevenue is net.',
      questions: [],
    })
  })

  it('has no heading for verified queries when there are none', async () => {
    expect(await pack({ 'summary.md': 'A shop.', 'verified-queries.jsonl': '\n' })).toMatchObject({
      full: '# About this data\n\nA shop.',
    })
  })

  it.each(['{"question":"How many?"}', 'SELECT 1', '{"question":"","sql":"SELECT 1"}'])(
    'names the line of a malformed verified query: %s',
    async line => {
      const text = `{"question":"a","sql":"SELECT 1"}\n${line}\n`
      await expect(pack({ 'verified-queries.jsonl': text })).rejects.toMatchObject({
        name: 'ConfigurationError',
        message: expect.stringContaining('verified-queries.jsonl, line 2: must be'),
      })
    },
  )

  it('refuses a folder that holds none of its files, or is none', async () => {
    await expect(pack({ 'other.md': 'x' })).rejects.toThrow(/CLEW_DOMAIN_DIR is .*, which holds none of summary\.md/)
    await expect(loadDomainPack(join(folder, 'nowhere'))).rejects.toThrow(/which holds none of/)
  })

  it('says which file cannot be read', async () => {
    await mkdir(join(folder, 'glossary.md'))
    await expect(loadDomainPack(folder)).rejects.toThrow(/glossary\.md of the domain pack cannot be read/)
  })
})
