import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { type DomainPack, NO_DOMAIN } from '../domain/pack.ts'
import type { BoundedCall } from './running-calls.ts'

/** The parts of a domain pack that clients can read: texts as Markdown, and lists as JSON. */
const RESOURCES = {
  overview: { description: 'What the operator says about the data.', of: ({ overview }: DomainPack) => overview },
  glossary: {
    description: 'Words of the organisation and what they mean in the data.',
    of: ({ terms }: DomainPack) => terms,
  },
  metrics: {
    description: 'Figures with one definition each: SQL, table, filter, grain and unit.',
    of: ({ metrics }: DomainPack) => metrics,
  },
  'verified-questions': {
    description: 'Questions with SQL that a person has verified.',
    of: ({ verifiedQueries }: DomainPack) => verifiedQueries,
  },
} as const

/** Offers the domain pack as resources: `clew://domain/glossary` and the like. */
export function addDomainResources(
  server: McpServer,
  bounded: BoundedCall,
  load: (signal: AbortSignal) => Promise<DomainPack | undefined>,
): void {
  for (const [name, { description, of }] of Object.entries(RESOURCES)) {
    const mimeType = typeof of(NO_DOMAIN) === 'string' ? 'text/markdown' : 'application/json'
    server.registerResource(name, `clew://domain/${name}`, { mimeType, description }, (uri, extra) =>
      bounded(extra, async signal => {
        const part = of((await load(signal)) ?? NO_DOMAIN)
        return { contents: [{ uri: uri.href, mimeType, text: typeof part === 'string' ? part : JSON.stringify(part) }] }
      }),
    )
  }
}
