import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { type DomainPack, NO_DOMAIN } from '../domain/pack.ts'
import type { BoundedCall } from './running-calls.ts'

const JSON_TYPE = 'application/json'

/** The parts of a domain pack that clients can read. */
const RESOURCES = [
  {
    name: 'overview',
    mimeType: 'text/markdown',
    description: 'What the operator says about the data.',
    text: ({ overview }: DomainPack) => overview,
  },
  {
    name: 'glossary',
    mimeType: JSON_TYPE,
    description: 'Words of the organisation and what they mean in the data.',
    text: ({ terms }: DomainPack) => JSON.stringify(terms),
  },
  {
    name: 'metrics',
    mimeType: JSON_TYPE,
    description: 'Figures with one definition each: SQL, table, filter, grain and unit.',
    text: ({ metrics }: DomainPack) => JSON.stringify(metrics),
  },
  {
    name: 'verified-questions',
    mimeType: JSON_TYPE,
    description: 'Questions with SQL that a person has verified.',
    text: ({ verifiedQueries }: DomainPack) => JSON.stringify(verifiedQueries),
  },
] as const

/** Offers the domain pack as resources: `clew://domain/glossary` and the like. */
export function addDomainResources(
  server: McpServer,
  bounded: BoundedCall,
  load: (signal: AbortSignal) => Promise<DomainPack | undefined>,
): void {
  for (const { name, mimeType, description, text } of RESOURCES) {
    server.registerResource(name, `clew://domain/${name}`, { mimeType, description }, (uri, extra) =>
      bounded(extra, async signal => {
        const pack = (await load(signal)) ?? NO_DOMAIN
        return { contents: [{ uri: uri.href, mimeType, text: text(pack) }] }
      }),
    )
  }
}
