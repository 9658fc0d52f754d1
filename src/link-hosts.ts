/** A host that answers may link to: `wiki.example.com`, `*.example.com` for what lies below it, `grafana.example.com:3000` for a port of its own. */
export type LinkHost = string

/**
 * Reads one host of an operator's list, in its usual forms (`.example.com` is `*.example.com`; letters of other alphabets become punycode).
 * @returns undefined for what is no host: an address, a path, a star elsewhere
 */
export function readLinkHost(written: string): LinkHost | undefined {
  const [, below, name = ''] = /^(\*?\.)?([^\s*/?#@\\]+)$/.exec(written.trim()) ?? []
  const address = `http://${name}`
  if (!URL.canParse(address)) return undefined
  const { host, pathname } = new URL(address)
  if (pathname !== '/' || !ASCII_HOST.test(host)) return undefined
  return below === undefined ? host : `*.${host}`
}

/**
 * Whether an address may be a link: http or https to one of the hosts, on its own port, and written so plainly that no program can read another host out
 * of it (no user, backslash, percent sign or foreign letter before the path).
 */
export function isAllowedLink(address: string, hosts: readonly LinkHost[]): boolean {
  if (!PLAIN_ADDRESS.test(address) || !URL.canParse(address)) return false
  const { host } = new URL(address)
  return hosts.some(allowed => (allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed))
}

const ASCII_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/
const PLAIN_ADDRESS = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?(?:[/?#][^\s<>"`\\]*)?$/i
