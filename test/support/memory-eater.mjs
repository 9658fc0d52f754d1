// This file is loaded before a process starts (`--import`). After that, parsing a text with the word below uses up the process's memory.
const { parse } = JSON

JSON.parse = (text, reviver) => {
  if (typeof text === 'string' && text.includes('EXHAUST_MEMORY')) {
    const eaten = []
    while (eaten.length >= 0) eaten.push(new Array(1_000_000).fill(eaten))
  }
  return parse(text, reviver)
}
