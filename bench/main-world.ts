import { startWorld } from './world.ts'

// Starts the warehouse with the data for the questions. Prints {"url": …, "schemaFile": …}, and ends when its standard input ends.

const world = await startWorld({ hasPeers: true })
process.stdout.write(`${JSON.stringify({ url: world.url, schemaFile: world.schemaFile })}\n`)
process.stdin.resume()
process.stdin.once('end', () => void world.close())
