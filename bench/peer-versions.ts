import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { versions } from './peers/versions.mjs'

/** A compared program: its folder, its main library, and the library's version. */
export interface PeerVersion {
  readonly name: string
  readonly library: string
  readonly version: string
}

const FOLDER = 'bench/peers'

/** Installs the compared programs' packages if they are missing. `npm ci` does not install them. */
export function installPeers(tell: (sentence: string) => void): readonly PeerVersion[] {
  const peers = Object.entries(versions).map(([name, library]) => ({ name, library: library.name, version: library.version }))
  if (peers.every(({ library }) => existsSync(`${FOLDER}/node_modules/${library}`))) return peers
  tell('installing what Clew is compared with (once) …')
  const npm = process.env.npm_execpath
  const [file, args] = npm ? [process.execPath, [npm]] : ['npm', []]
  const { status } = spawnSync(file, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: FOLDER,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('the peers could not be installed; `npm run bench -- --no-peers` measures Clew alone')
  return peers
}
