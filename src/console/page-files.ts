import { extname, join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { Problem } from '../http/problem.ts'

const HEADERS = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    fontSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
  // Whoever runs the proxy with TLS decides that.
  strictTransportSecurity: false,
  xFrameOptions: 'DENY',
})
const YEAR_S = 31_536_000
const NOT_BUILT = 'The page of the console is not built here: `npm run build` builds it.\n'

/**
 * Creates the app that serves the page of the console: its files, and `index.html` for `/` and each path that a browser opens. The build
 * has compressed them, as `NAME.br`. The name of a file in `assets` changes with its content.
 * @param folder where the build has put the page; it may not exist
 */
export function createPageApp(folder: string): Hono {
  const app = new Hono()
  const page = serveStatic({ path: join(folder, 'index.html') })
  app.use(HEADERS)
  app.use(async (context, next) => {
    await next()
    const isHashed = context.req.path.startsWith('/assets/') && context.res.ok
    context.header('Cache-Control', isHashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
  })
  app.get('/assets/*', serveStatic({ rewriteRequestPath: path => `${folder}${path}`, precompressed: true }))
  app.get('*', (context, next) => (isPage(context) ? page(context, next) : next()))
  app.notFound(context => (isPage(context) ? context.text(NOT_BUILT, 404) : Problem.noPath().toResponse()))
  return app
}

function isPage({ req }: Context): boolean {
  return req.path === '/' || (extname(req.path) === '' && req.header('Accept')?.includes('text/html') === true)
}
