import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { mainBench } from './main-bench.ts'

test('runs a workload and writes its figures in the documented form', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-bench-'))
  const file = join(folder, 'figures.json')
  try {
    const options = ['--quick', '--no-peers', '--only', 'answers', '--preset', 'zero', '--json', file]
    expect(await mainBench(options)).toBe(0)
    const { machine, versions, rows, peers } = JSON.parse(await readFile(file, 'utf8'))
    expect(machine).toMatchObject({ cores: expect.any(Number), load_before: expect.any(Number) })
    expect(versions).toMatchObject({ node: process.versions.node })
    expect(peers).toEqual([])
    expect(rows).toContainEqual({
      id: 'clew_complex_complete',
      workload: 'clew, complex: complete',
      value: expect.any(Number),
      min: expect.any(Number),
      max: expect.any(Number),
      unit: 'ms',
      goal: '',
      met: null,
    })
    expect(rows.map(({ id }: { readonly id: string }) => id)).toEqual(
      expect.arrayContaining(['clew_simple_first_data', 'clew_verified_first_words', 'clew_simple_tokens']),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 120_000)

test('shows its usage for unknown arguments', async () => {
  expect(await mainBench(['--only', 'nothing'])).toBe(2)
})
