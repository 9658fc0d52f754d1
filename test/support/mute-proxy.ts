import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A way to a server on which connections can go dumb without a word, as when a machine or a network on the way is gone. */
export interface MuteProxy {
  readonly port: number
  /** What is sent on the connections of now is swallowed from here on, and they bring nothing any more; those that come after work. */
  mute(): void
  close(): Promise<void>
}

export async function startMuteProxy(target: number): Promise<MuteProxy> {
  const ways = new Map<Socket, Socket>()
  const server = createServer(socket => {
    const onward = connect(target, '127.0.0.1')
    ways.set(socket, onward)
    for (const end of [socket, onward]) end.on('error', () => end.destroy())
    socket.on('close', () => onward.destroy())
    socket.pipe(onward).pipe(socket)
  }).listen(0, '127.0.0.1')
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
