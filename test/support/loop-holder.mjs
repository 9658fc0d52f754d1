// Loaded before a worker (`--import`). Parsing certain JSON then blocks its event loop for the processor time given in the text.
const parse = JSON.parse
const HOLD = /HOLD_(\d+)_MS/

JSON.parse = (text, reviver) => {
  const milliseconds = typeof text === 'string' ? Number(HOLD.exec(text)?.[1] ?? 0) : 0
  const began = process.cpuUsage()
  // Checks only now and then, since each check costs system time.
  for (let turn = 0; turn % 100_000 > 0 || process.cpuUsage(began).user < milliseconds * 1_000; turn += 1);
  return parse(text, reviver)
}
