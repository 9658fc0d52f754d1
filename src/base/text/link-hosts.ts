/**
 * A host to which links in answers may lead: `wiki.example.com`, `*.example.com` for its subdomains, `grafana.example.com:3000`
 * for another port.
 */
export type LinkHost = string

/**
 * Parses one host of an operator's list. `.example.com` means `*.example.com`. International names become punycode.
 * @returns undefined if the text is not a host, such as a full address, a path or `wiki.*.com`
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
 * Whether an address may be a link: http or https to an allowed host and port. An address with a user name, backslash, percent
 * sign or non-ASCII letter before the path is refused, because programs may read different hosts from it.
 */
export function isAllowedLink(address: string, hosts: readonly LinkHost[]): boolean {
  if (!PLAIN_ADDRESS.test(address) || !URL.canParse(address)) return false
  const { host } = new URL(address)
  return hosts.some(allowed => (allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed))
}

const ASCII_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/
const PLAIN_ADDRESS = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?(?:[/?#][^\s<>"`\\]*)?$/i
