import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { Problem } from '../http/problem.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Accept-Encoding',
}
/** The names of these files change with their content. */
const HASHED = /^\/assets\//
const YEAR_S = 31_536_000

/**
 * Creates the app that serves the page of the console: its files, and `index.html` for each path that a browser opens. The build
 * has compressed them, as `NAME.br`.
 * @param folder where the build has put the page; it may not exist
 */
export function createPageApp(folder: string): Hono {
  const files = readFiles(folder)
  const app = new Hono()
  app.get('*', context => {
    const { path } = context.req
    const isPage = extname(path) === '' && (context.req.header('Accept') ?? '').includes('text/html')
    const name = isPage ? '/index.html' : path
    const file = files.get(name)
    if (file === undefined && isPage)
      return context.text('The page of the console is not built here: `npm run build` builds it.\n', 404)
    if (file === undefined) return Problem.noPath().toResponse()
    const packed = files.get(`${name}.br`)
    const isPacked =
      packed !== undefined && accepts(context, { header: 'Accept-Encoding', supports: ['br'], default: '' }) === 'br'
    const caching = HASHED.test(name) ? `public, max-age=${YEAR_S}, immutable` : 'no-cache'
    const headers = { ...HEADERS, 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream', 'Cache-Control': caching }
    return context.body(isPacked ? packed : file, 200, { ...headers, ...(isPacked && { 'Content-Encoding': 'br' }) })
  })
  app.notFound(() => Problem.noPath().toResponse())
  return app
}

/** Reads all files into memory, so that no request can name another file. */
function readFiles(folder: string): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
    return new Map(paths.map(path => [path.slice(folder.length).replaceAll('\\', '/'), new Uint8Array(readFileSync(path))]))
  } catch {
    return new Map()
  }
}
