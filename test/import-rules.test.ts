import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { build } from 'esbuild'
import { z } from 'zod'

const RULES = resolve('.dependency-cruiser.mjs')
const CRUISER = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
/** Files that belong to no layer: one in an unlisted folder, and one directly in `src`. */
const UNLISTED = ['unlisted/file.ts', 'file.ts']
const TEST = 'base/importing.test.ts'

const rulesSchema = z.object({ LAYERS: z.array(z.array(z.string())) })
const { LAYERS: layers } = rulesSchema.parse(await import(RULES))

const reportSchema = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
})

describe('the import rules', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'clew-layers-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Creates these files and returns the imports that the rules refuse. The map lists each file with its imports. */
  function refused(files: ReadonlyMap<string, readonly string[]>): readonly string[] {
    for (const [file, imported] of files) {
      const path = join(folder, 'src', file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, ['export {}', ...imported.map(other => `import '${specifier(file, other)}'`), ''].join('\n'))
    }
    writeFileSync(join(folder, 'tsconfig.json'), '{}')
    const run = spawnSync(process.execPath, [CRUISER, 'src', '--config', RULES, '--output-type', 'json'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 ** 2,
    })
    const { violations } = reportSchema.parse(JSON.parse(run.stdout)).summary
    const edges = violations.filter(({ rule }) => rule.name.includes('imports')).map(({ from, to }) => `${from} -> ${to}`)
    return [...new Set(edges)].sort()
  }

  it('refuse each import that goes up or beside, and each file without a layer', () => {
    const importing = layers.flat().map(layer => `${layer}/importing.ts`)
    const imported = [...layers.flat().map(layer => `${layer}/imported.ts`), ...UNLISTED]
    const files = new Map<string, readonly string[]>([
      ...imported.map(file => [file, []] as const),
      ...[...importing, ...UNLISTED.map(file => `${file.slice(0, -3)}-importing.ts`)].map(file => [file, imported] as const),
      [TEST, imported],
    ])
    const allowed = layers.flatMap((row, at) =>
      row.flatMap(layer =>
        [layer, ...layers.slice(at + 1).flat()].map(below => `src/${layer}/importing.ts -> src/${below}/imported.ts`),
      ),
    )
    // A test may import from every layer.
    allowed.push(...layers.flat().map(layer => `src/${TEST} -> src/${layer}/imported.ts`))
    const all = [...files].flatMap(([file, others]) => others.map(other => `src/${file} -> src/${other}`))

    expect(refused(files)).toEqual(all.filter(edge => !allowed.includes(edge)).sort())
  })

  it('put no layer inside of another', () => {
    const paths = layers.flat().map(layer => `${layer}/`)
    expect(paths.filter(path => paths.some(other => other !== path && path.startsWith(other)))).toEqual([])
  })
})

describe("the console's page", () => {
  it('takes only pure code from outside of its folder', async () => {
    const { metafile } = await build({
      entryPoints: ['src/console/page/main.tsx'],
      bundle: true,
      write: false,
      metafile: true,
      logLevel: 'error',
    })
    const outside = Object.keys(metafile.inputs).filter(
      file =>
        !/^(src\/console\/page|node_modules\/(@panzoom\/panzoom|preact|wouter-preact|regexparam|use-sync-external-store|marked))\//.test(
          file,
        ),
    )
    const pure = /^src\/(bots\/markdown\/|base\/(text\/(closed-tables|link-hosts|markdown-tokens)|at-once|limits)\.ts)/
    expect(outside.filter(file => !pure.test(file))).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  it('lists the layers as the rules do', () => {
    const rows = readFileSync('ARCHITECTURE.md', 'utf8').match(/^\| \d+ \| .*$/gm) ?? []
    const listed = rows.map(row => [...(row.split(' | ')[1] ?? '').matchAll(/`([^`]+)\/`/g)].map(([, layer]) => layer))
    expect(listed).toEqual(layers)
  })
})

function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}
