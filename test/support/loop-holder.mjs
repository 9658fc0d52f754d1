// Loaded before a worker (`--import`): what it parses as JSON keeps its event loop for so long as the text says, in time of the processor.
const parse = JSON.parse
const HOLD = /HOLD_(\d+)_MS/

JSON.parse = (text, reviver) => {
  const milliseconds = typeof text === 'string' ? Number(HOLD.exec(text)?.[1] ?? 0) : 0
  const began = process.cpuUsage()
  // Asked after a while only: what it takes to ask is the system's time.
  for (let turn = 0; turn % 100_000 > 0 || process.cpuUsage(began).user < milliseconds * 1_000; turn += 1);
  return parse(text, reviver)
}
