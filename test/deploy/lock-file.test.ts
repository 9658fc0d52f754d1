import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'

const entrySchema = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  optional: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  libc: z.array(z.string()).optional(),
})
const { packages } = z
  .object({ packages: z.record(z.string(), entrySchema) })
  .parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))

describe('package.json', () => {
  it('lets an installed Clew depend only on what scripts/build.mjs cannot bundle, and on the types of the library', () => {
    // Every other package is a development package: npm install --save-dev --save-exact NAME.
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(Object.keys(dependencies)).toEqual(['@resvg/resvg-js', 'dejavu-fonts-ttf', 'zod'])
  })
})

describe('package-lock.json', () => {
  it('has a checksum for each package, except those missing from the registry that it was written against', () => {
    const without = Object.entries(packages).filter(([folder, { integrity }]) => folder !== '' && integrity === undefined)
    // These packages have no checksum. `npm run lock:complete` adds the missing ones, and the image installs none of these packages.
    expect(without.length).toBeLessThanOrEqual(55)
    for (const [, { optional, os = ['linux'], cpu = ['x64'], libc = ['glibc'] }] of without) {
      expect(optional).toBe(true)
      expect(os.includes('linux') && cpu.includes('x64') && libc.includes('glibc')).toBe(false)
    }
  })
})
