import { describe, expect, it } from '@jest/globals'
import { CATALOG_ANSWER_LIMITS } from '../warehouse/limits.ts'
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
  it('returns columns, rows and read statistics', async () => {
    expect(await read(DOCUMENT)).toEqual({
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

  it('accepts an empty body for a statement without a result', async () => {
    expect((await read('')).rows).toEqual([])
  })

  it('refuses an incomplete document, wherever it ends', async () => {
    const whole = DOCUMENT.trimEnd().length
    for (let length = 1; length < whole; length += 1) {
      await expect(read(DOCUMENT.slice(0, length))).rejects.toThrow(expect.objectContaining({ kind: 'unavailable' }))
    }
  })

  it.each([
    ['a tagged exception', (text: string) => `${text}\r\n__exception__\r\ntagtagtagtagtag1\r\n`, 'tagtagtagtagtag1'],
    ['bare text', (text: string) => text, undefined],
  ])('treats %s after the rows as failure of the whole', async (_name, before, tag) => {
    const exception =
      'Code: 241. DB::Exception: Query memory limit exceeded: would use 1.40 GiB. (MEMORY_LIMIT_EXCEEDED) (version 26.7.2.1)\n'
    const body = `${before(DOCUMENT.slice(0, 180))}${exception}${tag === undefined ? '' : `117 ${tag}\r\n__exception__\r\n`}`
    await expect(read(body, tag)).rejects.toThrow(
      expect.objectContaining({ kind: 'resource', serverCode: 241, message: 'Query memory limit exceeded: would use 1.40 GiB.' }),
    )
  })

  it('treats an exception field in a complete document as failure of the whole', async () => {
    const body = JSON.stringify({
      ...JSON.parse(DOCUMENT),
      exception: 'Code: 159. DB::Exception: Timeout exceeded. (TIMEOUT_EXCEEDED)',
    })
    await expect(read(body)).rejects.toThrow(expect.objectContaining({ kind: 'timeout', serverCode: 159 }))
  })

  it('is not misled by rows that look like exceptions', async () => {
    const body = DOCUMENT.replace('é', '__exception__ Code: 241. DB::Exception: x')
    expect((await read(body, 'tagtagtagtagtag1')).rows).toHaveLength(3)
  })
})

describe('readCutDocument', () => {
  it('returns the complete rows, wherever the document was cut', async () => {
    const { rows: all } = await read(DOCUMENT)
    const bytes = Buffer.from(DOCUMENT)
    const seen = new Set<number>()
    for (let length = bytes.indexOf('"data"') + '"data":\n\t['.length; length < bytes.length; length += 1) {
      const result = await readCutDocument(bytes.subarray(0, length))
      const rows = result?.rows ?? []
      seen.add(rows.length)
      expect(result?.columns).toHaveLength(2)
      expect(all.slice(0, rows.length)).toEqual(rows)
    }
    expect([...seen]).toEqual([0, 1, 2, 3])
  })

  it('returns nothing before the columns have arrived', async () => {
    expect(await readCutDocument(Buffer.from(DOCUMENT.slice(0, 40)))).toBeUndefined()
  })
})

describe('a result of several slices', () => {
  const rows = Array.from({ length: 9_000 }, (_, row) => [String(row), `größer\n\t], "data": [${row}`.padEnd(40, '.')])
  const lines = rows.map(row => `\t\t${JSON.stringify(row)}`).join(',\n')
  const large = Buffer.from(DOCUMENT.replace(/(?<="data":\n\t\[\n)[\s\S]*?(?=\n\t\])/, () => lines))

  it('is read like a short one', async () => {
    expect(large.length).toBeGreaterThan(3 * CATALOG_ANSWER_LIMITS.rowSliceBytes)
    const { rows: found, ...rest } = await readCompactDocument(large, { tag: undefined, queryId: 'q' })
    expect(found).toEqual(rows)
    const { rows: _few, ...few } = await read(DOCUMENT)
    expect(rest).toEqual(few)
  })

  it('is read even if its rows are not one per line', async () => {
    const document = JSON.stringify(JSON.parse(large.toString()))
    expect((await read(document)).rows).toEqual(rows)
  })

  it('is refused if it is incomplete or ends in an exception', async () => {
    for (const length of [large.length - 3, large.length - 100, 2 * CATALOG_ANSWER_LIMITS.rowSliceBytes]) {
      await expect(read(large.subarray(0, length).toString())).rejects.toThrow(expect.objectContaining({ kind: 'unavailable' }))
      const failed = `${large.subarray(0, length)}Code: 241. DB::Exception: Too much. (MEMORY_LIMIT_EXCEEDED) (version 25.3.1.1)\n`
      await expect(read(failed)).rejects.toThrow(expect.objectContaining({ serverCode: 241 }))
    }
  })

  it('is cut after its last complete row', async () => {
    for (const length of [
      CATALOG_ANSWER_LIMITS.rowSliceBytes + 7,
      2 * CATALOG_ANSWER_LIMITS.rowSliceBytes,
      large.length - 200,
      large.length - 1,
    ]) {
      const found = (await readCutDocument(large.subarray(0, length)))?.rows ?? []
      const complete = large.subarray(0, length).toString().split('\n\t\t[').length - 2
      expect(found).toEqual(rows.slice(0, found.length))
      expect(found.length).toBeGreaterThanOrEqual(complete)
    }
  })
})
