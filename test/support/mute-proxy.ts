import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy with connections that can fall silent, as after a failure of a machine or a network. */
export interface MuteProxy {
  readonly port: number
  /** From now on, drops all data on the present connections. Later connections work normally. */
  mute(): void
  close(): Promise<void>
}

/** @param port the port on which the proxy listens; default: a free one */
export async function startMuteProxy(target: number, port = 0): Promise<MuteProxy> {
  const ways = new Map<Socket, Socket>()
  const server = createServer(socket => {
    const onward = connect(target, '127.0.0.1')
    ways.set(socket, onward)
    for (const end of [socket, onward]) end.on('error', () => end.destroy())
    socket.on('close', () => onward.destroy())
    socket.pipe(onward).pipe(socket)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    mute() {
      for (const [socket, onward] of ways) {
        socket.unpipe(onward)
        onward.unpipe(socket)
        socket.resume()
        onward.destroy()
      }
      ways.clear()
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of ways.keys()) socket.destroy()
      await closed
    },
  }
}
