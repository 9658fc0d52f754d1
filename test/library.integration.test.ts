import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ScriptedCall } from './emulators/model/model-script.ts'
import { answer } from './emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from './emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from './support/engine.ts'
import { scriptedAnalyst } from './support/scripted-analyst.ts'

const run = promisify(execFile)
const PACKAGES = resolve('node_modules')

const analyst = scriptedAnalyst({
  'Which metros have links?': {
    queries: { 'Links per metro.': ['SELECT metro, sum(count) AS links FROM links GROUP BY metro ORDER BY metro'] },
    answer: 'Two metros have links: ams with 7 and tyo with 12 [Q1].',
  },
  'Which one has the most?': {
    standalone: 'Which metro has the most links?',
    clarification: { question: 'Most links of which year?', choices: ['This year', 'All years'] },
  },
  'How many boats are there?': { queries: { Boats: ['SELECT count() AS boats FROM boats'] }, answer: 'There are 2 boats [Q1].' },
})

let engine: TestEngine
let model: ScriptedModel
let gateway: Server
/** A project that has the packed package among its packages. */
let project: string
let packedBytes: number
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  ;[engine, model] = await Promise.all([startTestEngine(), startScriptedModel({ onRequest: call => answer(analyst(call)) })])
  gateway = createServer(async (request, response) => {
    const { step, messages } = JSON.parse(await textOf(request))
    const said = analyst({ step, body: { messages } } as ScriptedCall)
    response.end(typeof said === 'string' ? said : JSON.stringify(said))
  }).listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  const signal = AbortSignal.timeout(20_000)
  for (const sql of [
    'CREATE TABLE links (metro String, count UInt32) ENGINE = MergeTree ORDER BY metro',
    "INSERT INTO links VALUES ('ams', 3), ('ams', 4), ('tyo', 12)",
  ])
    await engine.warehouse.write({ sql, database: 'default' }, signal)
  env = {
    PATH: process.env.PATH ?? '',
    WAREHOUSE_URL: engine.url,
    MODEL: 'scripted',
    MODEL_URL: model.baseUrl,
    GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    ...{ CLICKHOUSE_URL: engine.url, OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'scripted' },
  }
  project = await mkdtemp(join(tmpdir(), 'clew-library-'))
  await installPacked()
})
afterAll(async () => {
  gateway?.close()
  await model?.close()
  await engine?.close()
  await rm(project, { recursive: true, force: true })
})

describe('the packed package, installed by its own', () => {
  let clew: string
  let home: string

  beforeAll(async () => {
    home = join(project, 'home')
    clew = join(project, 'bin', 'clew')
    await Promise.all([mkdir(home), mkdir(join(project, 'bin'))])
    await symlink('../node_modules/clew/bin/clew.mjs', clew)
  })

  const command = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
    run(clew, args, { cwd: home, env: { ...env, HOME: home, ...variables } })

  it('is small', () => {
    expect(packedBytes).toBeLessThan(3_000_000)
  })

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    expect((await command(['--version'])).stdout).toBe(`${version}\n`)
  })

  it('answers a question, without the embedded engine', async () => {
    expect((await command(['ask', 'Which metros have links?'])).stdout).toMatch(
      /^Two metros have links: ams with 7 and tyo with 12/,
    )
  })

  it('says how to add the embedded engine', async () => {
    const { peerDependencies } = JSON.parse(await readFile('package.json', 'utf8'))
    await expect(command(['schema'], { CLICKHOUSE_URL: 'chdb:memory' })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        new RegExp(
          `^The embedded ClickHouse engine is not installed. .npm install -g chdb@${peerDependencies.chdb}. adds it,[^\n]+\n$`,
        ),
      ),
    })
  })
})

describe('the examples of docs/library.md, with the packed package', () => {
  let examples: readonly string[]

  beforeAll(async () => {
    const document = await readFile('docs/library.md', 'utf8')
    const codes = [...document.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
    examples = codes.map((_, index) => `example-${index + 1}`)
    for (const [index, code] of codes.entries()) await writeFile(join(project, `${examples[index]}.ts`), code)
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'project', type: 'module' }))
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        // Declarations of the package are checked too, as far as the examples lead to them.
        compilerOptions: {
          ...{ target: 'es2023', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
          ...{ types: ['node'], typeRoots: [join(PACKAGES, '@types')] },
        },
        files: examples.map(name => `${name}.ts`),
      }),
    )
  })

  it('compile, with the declarations that the package ships', async () => {
    const compiler = join(PACKAGES, 'typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [compiler, '-p', '.'], { cwd: project }).catch(error => error)
    expect([examples.length, stdout]).toEqual([4, ''])
  })

  it('answer a question', async () => {
    expect(await output('example-1')).toMatch(
      /^Two metros have links: ams with 7 and tyo with 12 \[Q1\].*Q1 SELECT.*'tyo', '12'/s,
    )
  })

  it('hold a conversation in which Clew asks back', async () => {
    const printed = await output('example-2')
    expect(printed).toMatch(/^Q1: .+\n(Q1: .+\n)?Two metros have links/)
    expect(printed).toMatch(
      /Most links of which year\?\s+1\. This year\s+2\. All years\nClew asks back\. The next text answers\.\n$/,
    )
  })

  it('answer by a model of their own', async () => {
    const before = model.calls.length
    expect(await output('example-3')).toContain('Two metros have links: ams with 7')
    expect(model.calls.length).toBe(before)
  })

  it('run evals over a world of their own, which the package loads into its embedded engine', async () => {
    const evalCase = { id: 'boats', question: 'How many boats are there?', gold_sql: ['SELECT 2'], database: 'sea' }
    await symlink(join(PACKAGES, 'chdb'), join(project, 'node_modules', 'chdb'))
    await mkdir(join(project, 'world'))
    await writeFile(
      join(project, 'world', 'sea.sql'),
      'CREATE DATABASE sea;\nCREATE TABLE sea.boats ENGINE = MergeTree ORDER BY n AS SELECT number AS n FROM numbers(2);\n',
    )
    await writeFile(join(project, 'cases.jsonl'), JSON.stringify(evalCase))
    expect(await output('example-4')).toMatch(/^boats right\n/)
    expect(JSON.parse(await readFile(join(project, 'transcripts', 'boats.json'), 'utf8')).report.correct).toBe(true)
  })
})

/**
 * Unpacks the package as npm would, with the packages that it depends on and no others. They are those of this checkout, because
 * a test must not need a network.
 */
async function installPacked(): Promise<void> {
  await run(process.execPath, ['scripts/emit-types.mjs'])
  const npm = ['pack', '--ignore-scripts', '--silent', '--pack-destination', project]
  const { stdout } = await run('npm', npm)
  packedBytes = (await stat(join(project, stdout.trim()))).size
  const target = join(project, 'node_modules', 'clew')
  await mkdir(target, { recursive: true })
  await run('tar', ['-xzf', join(project, stdout.trim()), '--strip-components', '1', '-C', target])
  const { dependencies } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const link = join(target, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(PACKAGES, name), link)
  }
}

async function output(example: string): Promise<string> {
  return (await run(process.execPath, [`${example}.js`], { cwd: project, env })).stdout
}

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}
