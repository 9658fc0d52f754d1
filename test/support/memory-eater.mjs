// Loaded before a process (`--import`). Parsing a text with the word below then uses up the heap.
const { parse } = JSON

JSON.parse = (text, reviver) => {
  if (typeof text === 'string' && text.includes('EXHAUST_MEMORY')) {
    const eaten = []
    while (eaten.length >= 0) eaten.push(new Array(1_000_000).fill(eaten))
  }
  return parse(text, reviver)
}
