// Loaded before a process (`--import`). Parsing or trimming certain texts then blocks the event loop. The text gives the processor time.
const { parse } = JSON
const { trim } = String.prototype
const HOLD = /HOLD_(\d+)_MS/
const HOLD_READER = /HOLD_READER_(\d+)_MS/

function hold(milliseconds) {
  const began = process.cpuUsage()
  // Looks at the time only now and then, because this costs system time.
  for (let turn = 0; turn % 100_000 > 0 || process.cpuUsage(began).user < milliseconds * 1_000; turn += 1);
}

JSON.parse = (text, reviver) => {
  hold(typeof text === 'string' ? Number(HOLD.exec(text)?.[1] ?? 0) : 0)
  return parse(text, reviver)
}
String.prototype.trim = function () {
  hold(Number(HOLD_READER.exec(this)?.[1] ?? 0))
  return trim.call(this)
}
