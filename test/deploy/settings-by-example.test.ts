import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/main/config.ts'
import { PLATFORM_REGISTRY } from '../../src/main/platform-registry.ts'

const example = readFileSync('.env.example', 'utf8')
const mentioned = [...example.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const)
const { variables } = readConfig({})
/** Variables that only docker-compose.yml reads, not Clew itself. */
const COMPOSE_ONLY = ['CLEW_PORT', 'CLICKHOUSE_PORT', 'CLICKHOUSE_VERSION', 'CLEW_VERSION']

describe('.env.example', () => {
  it('names every variable of the configuration', () => {
    const declared = variables.filter(name => !name.endsWith('_FILE') || name === 'CLEW_ACCESS_FILE')
    const names = new Set(mentioned.map(([name]) => name))
    expect(declared.length).toBeGreaterThan(20)
    expect(declared.filter(name => !names.has(name))).toEqual([])
  })

  it('names only variables in use', () => {
    const unread = mentioned.map(([name]) => name).filter(name => !variables.includes(name) && !name.startsWith('CLEW_MODEL_'))
    expect(unread.sort()).toEqual([...COMPOSE_ONLY].sort())
    const compose = readFileSync('docker-compose.yml', 'utf8')
    expect(COMPOSE_ONLY.filter(name => !compose.includes(`\${${name}`))).toEqual([])
  })

  it('shows the defaults', () => {
    expect({ ...readConfig(Object.fromEntries(mentioned)), secrets: [] }).toEqual({
      ...readConfig({}),
      secrets: [],
      chat: { platforms: PLATFORM_REGISTRY, configured: {} },
    })
  })
})
