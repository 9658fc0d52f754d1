import { SYSTEM_CLOCK } from './clock.ts'
import { startModelServer } from './model-server.ts'
import { MODEL_PRESETS, type PresetName } from './presets.ts'

// The model as a separate process: `node bench/run-ts.mjs bench/model/main-model-server.ts [PRESET]`. Its first line is {"baseUrl": …}. It ends when
// its standard input ends.

const wanted = process.argv[2] ?? 'mini'
const preset = Object.keys(MODEL_PRESETS).find((name): name is PresetName => name === wanted)
if (preset === undefined) throw new Error(`there is no preset ${wanted}: there are ${Object.keys(MODEL_PRESETS).join(', ')}`)
const server = await startModelServer({ clock: SYSTEM_CLOCK, preset })
process.stdout.write(`${JSON.stringify({ baseUrl: server.baseUrl })}\n`)
process.stdin.resume()
process.stdin.once('end', () => void server.close())
