import { startWorld } from './world.ts'

// The warehouse with the questions' data. It prints {"url": …, "schemaFile": …} and ends with its standard input.

const world = await startWorld({ hasPeers: true })
process.stdout.write(`${JSON.stringify({ url: world.url, schemaFile: world.schemaFile })}\n`)
process.stdin.resume()
process.stdin.once('end', () => void world.close())
