import { request } from 'node:http'
import type { EngineState } from './options.ts'

/** A client's claim on an engine. The engine process lives as long as at least one client holds a lease. */
export interface EngineLease {
  /** False when the engine has stopped or the lease was released. */
  readonly held: boolean
  /** True when the engine has ended the claim, as it ends a turn. */
  readonly lapsed: boolean
  release(): void
}

/**
 * Takes a lease: sends a request whose response stays open. The open request does not keep this process alive.
 * @param path `/engine/turn` waits for a turn instead (`giveTurn`)
 * @throws Error if the engine has stopped
 */
export async function takeLease(state: EngineState, signal: AbortSignal, path = '/engine/lease'): Promise<EngineLease> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const holder = request({
      host: '127.0.0.1',
      port: state.port,
      path,
      auth: `owner:${state.passwords.owner}`,
      agent: false,
    })
    // The signal only limits the wait for the lease. A later abort must not release a lease that is held.
    const giveUp = () => holder.destroy(new Error('The lease was given up'))
    signal.addEventListener('abort', giveUp, { once: true })
    let held = false
    holder.once('error', reject)
    holder.once('close', () => {
      signal.removeEventListener('abort', giveUp)
      held = false
    })
    holder.once('response', response => {
      if (response.statusCode !== 200) {
        holder.destroy()
        reject(new Error(`The embedded engine refused a lease with HTTP status ${response.statusCode}`))
        return
      }
      signal.removeEventListener('abort', giveUp)
      held = true
      holder.on('error', () => {})
      response.on('error', () => {})
      response.resume()
      response.socket.unref()
      resolve({
        get held() {
          return held
        },
        get lapsed() {
          return response.complete
        },
        release: () => holder.destroy(),
      })
    })
    holder.end()
  })
}
