import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** A program that Clew is measured beside: its folder, its main library and that one's version. */
export interface PeerVersion {
  readonly name: string
  readonly library: string
  readonly version: string
}

const FOLDER = 'bench/peers'
const LIBRARIES = { barriers: 'openai', langgraph: '@langchain/langgraph', 'ai-sdk': 'ai', 'openai-agents': '@openai/agents' }
const packageSchema = z.object({ version: z.string() })

/** Installs what the peers need, which `npm ci` does not, where it is missing. */
export async function installPeers(tell: (sentence: string) => void): Promise<readonly PeerVersion[]> {
  if (Object.values(LIBRARIES).some(library => !existsSync(manifest(library)))) {
    tell('installing what Clew is compared with (once) …')
    const npm = process.env.npm_execpath
    const [file, args] = npm ? [process.execPath, [npm]] : ['npm', []]
    const { status } = spawnSync(file, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: FOLDER,
      stdio: ['ignore', 2, 2],
    })
    if (status !== 0) throw new Error('the peers could not be installed; `npm run bench -- --no-peers` measures Clew alone')
  }
  return Object.entries(LIBRARIES).map(([name, library]) => ({
    name,
    library,
    version: packageSchema.parse(JSON.parse(readFileSync(manifest(library), 'utf8'))).version,
  }))
}

function manifest(library: string): string {
  return `${FOLDER}/node_modules/${library}/package.json`
}
