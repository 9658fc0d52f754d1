import { startWorld } from './world.ts'

// The warehouse with the data of the questions. It prints {"url": …, "schemaFile": …}, and ends when its standard input ends.

const world = await startWorld({ hasPeers: true })
process.stdout.write(`${JSON.stringify({ url: world.url, schemaFile: world.schemaFile })}\n`)
process.stdin.resume()
process.stdin.once('end', () => void world.close())
