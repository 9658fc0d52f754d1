import { existsSync } from 'node:fs'
import { describe } from '@jest/globals'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const WIDTHS = [1_440, 390] as const

/** A group of tests that need Chromium. Without it, they are skipped with a word. */
export const describeInBrowser = existsSync(CHROMIUM) ? describe : describe.skip
if (!existsSync(CHROMIUM)) process.stderr.write(`${CHROMIUM} is not there, so the console is not tested in a browser.\n`)

/** A browser that gathers whatever a page should not do. */
export interface ConsoleBrowser {
  readonly page: Page
  /** Errors of scripts, refusals of the content policy, dialogs, and requests to other hosts. */
  readonly mistakes: readonly string[]
  /** Opens the page of a link that signs in. */
  signIn(url: string, secret: string): Promise<void>
  /** Returns what axe finds at each width, and where the page or its navigation is wider than the window. */
  look(): Promise<readonly string[]>
  close(): Promise<void>
}

export async function openBrowser(): Promise<ConsoleBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: WIDTHS[0], height: 900 } })
  const mistakes: string[] = []
  page.on('pageerror', error => mistakes.push(error.message))
  page.on('dialog', dialog => {
    mistakes.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', said => void (/Content Security Policy/.test(said.text()) && mistakes.push(said.text())))
  page.on('request', request => {
    if (!['localhost', '127.0.0.1', ''].includes(new URL(request.url()).hostname)) mistakes.push(request.url())
  })
  return {
    page,
    mistakes,
    async signIn(url, secret) {
      await page.goto(`${url}/#sign-in=${secret}`)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('navigation').waitFor()
    },
    async look() {
      const found: string[] = []
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        await page.evaluate(axe.source)
        const faults = await page.evaluate<readonly string[]>(
          'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))',
        )
        const shown = await page.evaluate<number>('document.documentElement.scrollWidth')
        const cut = await page.evaluate<number>(
          "[...document.querySelectorAll('nav a')].filter(link => link.getBoundingClientRect().right > innerWidth).length",
        )
        found.push(...faults.map(fault => `${width}: ${fault}`), ...(shown > width ? [`${width}: ${shown} px wide`] : []))
        if (cut > 0) found.push(`${width}: ${cut} links of the navigation are cut`)
      }
      await page.setViewportSize({ width: WIDTHS[0], height: 900 })
      return found
    },
    close: () => browser.close(),
  }
}
