import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Command } from 'commander'
import { MODEL_STEPS } from '../../src/llm/step.ts'
import { readConfig } from '../../src/main/config.ts'
import { createProgram } from '../../src/main/program/create-program.ts'

/** The paths of all Markdown files in the repository. */
const DOCUMENTS = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { encoding: 'utf8' })
  .split('\n')
  .filter(path => path !== '' && existsSync(path))

describe('docs/configuration.md', () => {
  const text = readFileSync('docs/configuration.md', 'utf8')
  const compose = [...readFileSync('docker-compose.yml', 'utf8').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  const known = [...readConfig({}).variables, ...MODEL_STEPS.map(step => `CLEW_MODEL_${step.toUpperCase()}`), ...compose]
  const named = new Set(text.match(/\b(?:CLEW|CLICKHOUSE|OPENAI|OTEL|SLACK|DISCORD|REDIS)_[A-Z_]*[A-Z]\b(?!_?<)|\bPORT\b/g))

  it('lists every variable', () => {
    expect(known.filter(name => !named.has(name))).toEqual([])
  })

  it('lists only variables in use', () => {
    const scripts = ['deploy/make-secrets.sh', 'deploy/clickhouse/create-reader.sh']
      .map(path => readFileSync(path, 'utf8'))
      .join()
    expect([...named].filter(name => !known.includes(name) && !scripts.includes(name))).toEqual([])
  })
})

describe('docs/cli.md', () => {
  const text = readFileSync('docs/cli.md', 'utf8')
  const commands = readCommands(createProgram())

  it('lists every command with its flags', () => {
    expect(commands.length).toBeGreaterThan(20)
    const sections = text.split(/^## (?=clew )/m)
    const missing = commands.flatMap(({ name, flags }) => {
      const own = sections.slice(1).find(section => new RegExp(`\`clew ${name}[ \`]`).test(section)) ?? ''
      return own === '' ? [name] : flags.filter(flag => !own.includes(flag)).map(flag => `${name} ${flag}`)
    })
    expect(missing).toEqual([])
  })

  it('lists only existing commands', () => {
    const names = new Set(commands.flatMap(({ name }) => name.split(' ')[0] ?? ''))
    const named = [...text.matchAll(/`clew ([a-z][a-z-]*)/g)].map(([, name = '']) => name)
    expect(named.filter(name => !names.has(name))).toEqual([])
  })
})

describe('links in documents', () => {
  it.each(DOCUMENTS)('%s leads to an existing target', path => {
    expect(linksOf(path).filter(link => !resolves(path, link))).toEqual([])
  })
})

describe('files named in documents', () => {
  it.each(DOCUMENTS.filter(path => /^(?:docs\/.*|[^/]+)\.md$/.test(path) && path !== 'CHANGELOG.md'))('%s: exist', path => {
    const named = readFileSync(path, 'utf8').match(/(?<=`)(?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|sql|sh|acl|jsonl)(?=`)/g) ?? []
    expect(named.filter(name => !existsSync(name) && !existsSync(join('src', name)))).toEqual([])
  })
})

/** Returns all commands of the `clew` program with their flags. */
function readCommands(parent: Command, path = ''): readonly { readonly name: string; readonly flags: readonly string[] }[] {
  return parent.commands.flatMap(command => {
    const name = `${path}${command.name()}`
    const flags = command.options.flatMap(({ long, hidden }) => (hidden || !long ? [] : [long]))
    return [{ name, flags }, ...readCommands(command, `${name} `)]
  })
}

function linksOf(path: string): readonly string[] {
  const prose = readFileSync(path, 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = '']) => link).filter(link => !/^\w+:/.test(link))
}

function resolves(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#')
  const path = file === '' ? from : normalize(join(dirname(from), file))
  if (!existsSync(path)) return false
  return anchor === undefined || anchorsOf(readFileSync(path, 'utf8')).includes(anchor)
}

/** Returns the link anchors that GitHub makes from the headings of a Markdown text. */
function anchorsOf(text: string): readonly string[] {
  return [...text.replace(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
