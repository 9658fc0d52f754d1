import { describe, expect, it } from '@jest/globals'
import { readCompactDocument, readCutDocument } from './json-compact.ts'

const DOCUMENT = `{
	"meta":
	[
		{
			"name": "n",
			"type": "UInt64"
		},
		{
			"name": "text",
			"type": "String"
		}
	],

	"data":
	[
		["1", "a],\\nb"],
		["2", "\\"data\\": ["],
		["3", "é"]
	],

	"rows": 3,

	"statistics":
	{
		"elapsed": 0.002,
		"rows_read": 3,
		"bytes_read": 24
	}
}
`
const read = (text: string, tag?: string) => readCompactDocument(Buffer.from(text), { tag, queryId: 'q' })

describe('readCompactDocument', () => {
  it('returns columns, rows and what was read', () => {
    expect(read(DOCUMENT)).toEqual({
      columns: [
        { name: 'n', type: 'UInt64' },
        { name: 'text', type: 'String' },
      ],
      rows: [
        ['1', 'a],\nb'],
        ['2', '"data": ['],
        ['3', 'é'],
      ],
      rowsRead: 3,
      bytesRead: 24,
    })
  })

  it('takes an empty body for a statement without a result', () => {
    expect(read('').rows).toEqual([])
  })

  it('refuses a document that ends early, wherever it ends', () => {
    const whole = DOCUMENT.trimEnd().length
    for (let length = 1; length < whole; length += 1) {
      expect(() => read(DOCUMENT.slice(0, length))).toThrow(expect.objectContaining({ kind: 'unavailable' }))
    }
  })

  it.each([
    ['a tagged exception', (text: string) => `${text}\r\n__exception__\r\ntagtagtagtagtag1\r\n`, 'tagtagtagtagtag1'],
    ['bare text', (text: string) => text, undefined],
  ])('takes %s after the rows for the failure of the whole', (_name, before, tag) => {
    const exception =
      'Code: 241. DB::Exception: Query memory limit exceeded: would use 1.40 GiB. (MEMORY_LIMIT_EXCEEDED) (version 26.7.2.1)\n'
    const body = `${before(DOCUMENT.slice(0, 180))}${exception}${tag === undefined ? '' : `117 ${tag}\r\n__exception__\r\n`}`
    expect(() => read(body, tag)).toThrow(
      expect.objectContaining({ kind: 'resource', serverCode: 241, message: 'Query memory limit exceeded: would use 1.40 GiB.' }),
    )
  })

  it('takes an exception written as a field of a complete document for the failure of the whole', () => {
    const body = JSON.stringify({
      ...JSON.parse(DOCUMENT),
      exception: 'Code: 159. DB::Exception: Timeout exceeded. (TIMEOUT_EXCEEDED)',
    })
    expect(() => read(body)).toThrow(expect.objectContaining({ kind: 'timeout', serverCode: 159 }))
  })

  it('takes no row that looks like an exception for one', () => {
    const body = DOCUMENT.replace('é', '__exception__ Code: 241. DB::Exception: x')
    expect(read(body, 'tagtagtagtagtag1').rows).toHaveLength(3)
  })
})

describe('readCutDocument', () => {
  it('returns the rows that are complete, wherever the document was cut', () => {
    const bytes = Buffer.from(DOCUMENT)
    const seen = new Set<number>()
    for (let length = bytes.indexOf('"data"') + '"data":\n\t['.length; length < bytes.length; length += 1) {
      const result = readCutDocument(bytes.subarray(0, length))
      const rows = result?.rows ?? []
      seen.add(rows.length)
      expect(result?.columns).toHaveLength(2)
      expect(read(DOCUMENT).rows.slice(0, rows.length)).toEqual(rows)
    }
    expect([...seen]).toEqual([0, 1, 2, 3])
  })

  it('returns nothing before the columns have arrived', () => {
    expect(readCutDocument(Buffer.from(DOCUMENT.slice(0, 40)))).toBeUndefined()
  })
})
