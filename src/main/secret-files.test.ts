import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { readConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-secret-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(content: string): string {
  const path = join(folder, `${content.length}`)
  writeFileSync(path, content)
  return path
}

describe('secrets in files', () => {
  it('are read like their variables, and kept out of the log', () => {
    const config = readConfig({ REDIS_URL_FILE: file('redis://:hidden-1@redis:6379\n') })
    expect(config.redis.url).toBe('redis://:hidden-1@redis:6379')
    expect(config.secrets).toContain('hidden-1')
  })

  it('yield to their variable, and count as absent if empty', () => {
    expect(readConfig({ REDIS_URL: 'redis://own', REDIS_URL_FILE: file('redis://other') }).redis.url).toBe('redis://own')
    expect(readConfig({ REDIS_URL: '', REDIS_URL_FILE: file(' \n') }).redis.url).toBeUndefined()
  })

  it('are named if they are unreadable', () => {
    const missing = () => readConfig({ OPENAI_API_KEY_FILE: '/nowhere/key' })
    expect(missing).toThrow('OPENAI_API_KEY_FILE is /nowhere/key, which cannot be read: there is no such file or folder.')
  })
})
