import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createPageApp } from './page-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-page-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<!doctype html>')
writeFileSync(join(folder, 'assets', 'main-1A.js'), 'start()')
writeFileSync(join(folder, 'assets', 'main-1A.js.br'), brotliCompressSync('start()'))
afterAll(() => rmSync(folder, { recursive: true }))

const app = createPageApp(folder)
const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers })
const PAGE = { Accept: 'text/html,*/*;q=0.8' }

describe('the files of the page', () => {
  it.each(['/', '/runs/run_0123456789abcdef', '/ask/thr_1'])('%s is the page, under a strict policy', async path => {
    const response = await get(path, PAGE)
    expect(await response.text()).toBe('<!doctype html>')
    expect(response.headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
    )
    expect(response.headers.get('Cache-Control')).toBe('no-cache')
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
  })

  it('are kept for long if their names change with their content, and compressed if the browser takes that', async () => {
    const plain = await get('/assets/main-1A.js')
    expect(await plain.text()).toBe('start()')
    expect(plain.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
    expect(plain.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    const packed = await get('/assets/main-1A.js', { 'Accept-Encoding': 'gzip, br' })
    expect(packed.headers.get('Content-Encoding')).toBe('br')
    expect(Buffer.from(await packed.arrayBuffer())).toEqual(brotliCompressSync('start()'))
  })

  it('is the page at / for a program too', async () => {
    expect(await (await get('/')).text()).toBe('<!doctype html>')
  })

  it.each(['/none', '/assets/none.js', '/../package.json', '/%2e%2e/package.json'])(
    '%s is not found by a program',
    async path => {
      expect(await get(path)).toMatchObject({ status: 404 })
    },
  )

  it('are missing in words where they were not built', async () => {
    const response = await createPageApp(join(folder, 'none')).request('/', { headers: PAGE })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('npm run build')
  })
})
