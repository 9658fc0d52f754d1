import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const WIDTH = 680
/** The picture has this many pixels for each pixel of the page. */
const SCALE = 1.5
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', `--force-device-scale-factor=${SCALE}`]

/**
 * Takes a picture of a whole page. Attributes of the page's root element give its height, and the characters without a glyph.
 * @throws if a character has no glyph
 */
export async function screenshot(browser: string, address: string, file: string): Promise<void> {
  const run = (...args: readonly string[]) =>
    promisify(execFile)(browser, [...FLAGS, ...args, address], { timeout: 60_000, maxBuffer: 16 * 1_024 * 1_024 })
  const { stdout } = await run('--dump-dom', `--window-size=${WIDTH},800`)
  const height = /data-height="(\d+)"/.exec(stdout)?.[1]
  if (height === undefined) throw new Error(`${address} does not tell its height.`)
  const missing = /data-missing="([^"]*)"/.exec(stdout)?.[1]
  if (missing !== '') throw new Error(`${address}: no font has ${missing}. CONTRIBUTING.md names the fonts.`)
  await run(`--screenshot=${file}`, `--window-size=${WIDTH},${height}`)
}
