import { describe, expect, it } from '@jest/globals'
import { describeRedis, parseRedisUrl } from './url.ts'

describe('parseRedisUrl', () => {
  it.each([
    ['redis://cache', { kind: 'single', hosts: [{ host: 'cache', port: 6379 }], tls: false, database: 0, password: undefined }],
    [
      'redis://:s3cret@10.0.0.1:6380/2',
      { hosts: [{ host: '10.0.0.1', port: 6380 }], database: 2, username: undefined, password: 's3cret' },
    ],
    ['rediss://clew:p%40ss%3A1@cache.example.org/', { tls: true, username: 'clew', password: 'p@ss:1' }],
    ['redis://[::1]:7000', { hosts: [{ host: '::1', port: 7000 }] }],
    ['unix:///run/redis%20here.sock', { kind: 'single', socketPath: '/run/redis here.sock' }],
    [
      'redis+cluster://a:7000,b:7001,c',
      { kind: 'cluster', hosts: [7000, 7001, 6379].map((port, index) => ({ host: 'abc'[index], port })) },
    ],
    [
      'rediss+sentinel://:pw@s1,s2:26380/1?name=main&sentinelPassword=sp',
      {
        kind: 'sentinel',
        tls: true,
        database: 1,
        password: 'pw',
        sentinel: { name: 'main', username: undefined, password: 'sp' },
      },
    ],
  ])('reads %s', (url, expected) => {
    expect(parseRedisUrl(url)).toMatchObject(expected)
  })

  it.each([
    '',
    'http://cache',
    'redis://',
    'redis://a,b',
    'redis://a:0',
    'redis://a:70000',
    'redis://a:port',
    'redis+sentinel://a,b',
    'redis+cluster://a/3',
    'redis://%zz:hunter22@a',
  ])('refuses %p without repeating it', url => {
    expect(() => parseRedisUrl(url)).toThrow(
      expect.objectContaining({ code: 'configuration', message: expect.stringContaining('REDIS_URL') }),
    )
    expect(() => parseRedisUrl(url)).not.toThrow('hunter22')
  })
})

describe('describeRedis', () => {
  it.each([
    ['redis://clew:s3cret@cache/2', 'redis://cache:6379/2'],
    ['rediss+sentinel://:pw@s1,[::1]/0?name=main&sentinelPassword=sp', 'rediss+sentinel://s1:26379,[::1]:26379'],
    ['unix:///run/redis.sock', 'unix:///run/redis.sock'],
  ])('shows %s as %s', (url, shown) => {
    expect(describeRedis(parseRedisUrl(url))).toBe(shown)
  })
})
