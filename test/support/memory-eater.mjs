// Loaded before a process (`--import`). Parsing a text with the word below then exhausts its heap.
const { parse } = JSON

JSON.parse = (text, reviver) => {
  if (typeof text === 'string' && text.includes('EXHAUST_MEMORY')) {
    const eaten = []
    while (eaten.length >= 0) eaten.push(Array.from({ length: 100_000 }, (_, index) => ({ index })))
  }
  return parse(text, reviver)
}
