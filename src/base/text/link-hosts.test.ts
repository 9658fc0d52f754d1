import { describe, expect, it } from '@jest/globals'
import { isAllowedLink, readLinkHost } from './link-hosts.ts'

describe('readLinkHost', () => {
  it.each([
    ['wiki.example.com', 'wiki.example.com'],
    [' Wiki.Example.COM ', 'wiki.example.com'],
    ['*.example.com', '*.example.com'],
    ['.example.com', '*.example.com'],
    ['grafana.example.com:3000', 'grafana.example.com:3000'],
    ['grafana:80', 'grafana'],
    ['localhost', 'localhost'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['http://example.com', undefined],
    ['example.com/path', undefined],
    ['*', undefined],
    ['*.', undefined],
    ['exa*mple.com', undefined],
    ['user@example.com', undefined],
    ['[::1]', undefined],
    ['example.com:port', undefined],
    ['example com', undefined],
  ])('reads %s', (written, host) => {
    expect(readLinkHost(written)).toBe(host)
  })
})

describe('isAllowedLink', () => {
  const hosts = ['good.example', '*.wiki.example', 'grafana.example:3000']

  it.each([
    'http://good.example',
    'https://good.example/a?b=c#d',
    'HTTPS://GOOD.example/ä/%C3%A4(1)',
    'https://good.example:443/',
    'https://a.wiki.example',
    'https://a.b.wiki.example/x@y',
    'http://grafana.example:3000/d/1',
  ])('allows %s', address => {
    expect(isAllowedLink(address, hosts)).toBe(true)
  })

  it.each([
    'https://evil.example/good.example',
    'https://good.example.evil.example/',
    'https://evilgood.example/',
    'https://wiki.example/',
    'https://notwiki.example/',
    'https://good.example:8443/',
    'http://grafana.example/',
    'http://good.example@evil.example/',
    'http://good.example:pass@evil.example/',
    'http://good.example\\@evil.example/',
    'http://evil.example\\.good.example/',
    'http:\\\\good.example',
    'http:/good.example',
    'http:good.example',
    '//good.example/',
    'http://%67ood.example/',
    'http://good.example%2f@evil.example',
    'http://good.example./',
    'http://gооd.example/',
    'http://good。example/',
    'http://good.example\u200b.evil.example/',
    'http://good.example/\u0000 x',
    'http://good.example/a b',
    'ftp://good.example/',
    'javascript:alert("//good.example")',
    'data:text/html,good.example',
    'mailto:a@good.example',
    'good.example',
    '/path',
    '#part',
    '',
  ])('refuses %j', address => {
    expect(isAllowedLink(address, hosts)).toBe(false)
  })

  it('allows nothing by default', () => {
    expect(isAllowedLink('https://good.example/', [])).toBe(false)
  })
})
