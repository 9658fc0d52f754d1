// Asks the questions of cases.yaml with `clew ask --json` and compares the rows with gold.jsonl:
//   node evals/sources/run.mjs [--set hotels] [--parallel 2] [--only j01,c02 | --kind join] [--out .clew/evals/sources] [--timeout 180] [--rescore] [--self-test] [--verbose]
// Addresses come from EVAL_CLICKHOUSE_URL and EVAL_POSTGRES_URL, the model from OPENAI_BASE_URL and so on. `--rescore` judges what is in the folder and asks nothing.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: '.' },
    parallel: { type: 'string', default: '2' },
    only: { type: 'string' },
    kind: { type: 'string' },
    out: { type: 'string' },
    timeout: { type: 'string', default: '180' },
    rescore: { type: 'boolean' },
    'self-test': { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
})
const here = name => fileURLToPath(new URL(name, import.meta.url))
const ofSet = name => here(`${options.set}/${name}`)
const goldLines = readFileSync(ofSet('gold.jsonl'), 'utf8').trim().split('\n')
const gold = Object.fromEntries(goldLines.map(line => JSON.parse(line)).map(({ id, results }) => [id, results]))
const wanted = options.only?.split(',')
const cases = parse(readFileSync(ofSet('cases.yaml'), 'utf8'))
  .cases.map(each => ({ ...each, kind: each.is[0], loses: each.is.includes('loses'), ordered: each.is.includes('ordered') }))
  .filter(each => (wanted?.includes(each.id) ?? true) && (options.kind ?? each.kind) === each.kind)
const folder = resolve(options.out ?? join('.clew/evals/sources', options.set))
mkdirSync(folder, { recursive: true })

/** Runs one case and keeps what it printed. A process that takes too long is ended. */
function ask({ id, question }) {
  const { CLICKHOUSE_URL, ...env } = process.env
  const child = spawn(process.execPath, [here('../../bin/clew.mjs'), 'ask', '--json', question], {
    env: { ...env, PORT: '0', CLEW_SOURCES_FILE: ofSet('world/sources.yaml') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const started = Date.now()
  const said = { output: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', text => (said.output += text))
  child.stderr.setEncoding('utf8').on('data', text => (said.errors += text))
  const timer = setTimeout(() => child.kill('SIGTERM'), Number(options.timeout) * 1000)
  return new Promise(done => {
    child.once('close', status => {
      clearTimeout(timer)
      let result
      try {
        result = JSON.parse(said.output)
      } catch {
        result = { error: { kind: 'no_json', message: said.errors.slice(-500) } }
      }
      const kept = { id, status, ms: Date.now() - started, result }
      writeFileSync(join(folder, `${id}.json`), `${JSON.stringify(kept, null, 1)}\n`)
      done(kept)
    })
  })
}

const TOLERANCE = 0.005
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i
const NOTHING =
  /^$|unknown|none|\bno\b|without|ad[ -_]?hoc|n\/a|other|unassigned|missing|unmatched|overhead|roaming|head[ -_]?office|outside|external/i

function plain(cell) {
  if (typeof cell === 'boolean') return Number(cell)
  if (typeof cell !== 'string') return cell
  const text = cell.trim()
  if (NUMBER.test(text)) return Number(text)
  return text.replace(/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00(?::?00)?)?$/, '$1 $2').replace(/ 00:00:00$/, '')
}

/** @param factor 100 where a share may be in per cent */
function isSame(own, right, factor = 1) {
  if (right === null) return own === null || own === 0 || (typeof own === 'string' && NOTHING.test(own))
  if (typeof own !== 'number' || typeof right !== 'number') return own === right
  const value = right * factor
  if (Number.isInteger(own) && Number.isInteger(value)) return own === value
  if (Math.abs(own - value) <= TOLERANCE * Math.abs(value)) return true
  const decimals = /\.(\d+)$/.exec(String(own))?.[1].length ?? 0
  return decimals > 0 && Math.abs(own - value) <= 0.5001 * 10 ** -decimals
}

/** Whether each item of `right` has an own item of `own`, exact ones first. */
function matches(own, right, same, ordered) {
  if (ordered) return right.every((item, index) => same(own[index], item))
  const left = [...own]
  const later = []
  const take = (item, test) => {
    const at = left.findIndex(other => test(other, item))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }
  for (const item of right) if (!take(item, (a, b) => JSON.stringify(a) === JSON.stringify(b))) later.push(item)
  return later.every(item => take(item, same))
}

/** Returns the choices of columns: one for each name before `__`. */
function choices(columns) {
  const groups = new Map()
  columns.forEach((name, index) => {
    const group = name.includes('__') ? name.split('__')[0] : `${index}`
    groups.set(group, [...(groups.get(group) ?? []), index])
  })
  return [...groups.values()].reduce((all, group) => all.flatMap(chosen => group.map(index => [...chosen, index])), [[]])
}

function equals(query, { columns, rows }, ordered) {
  if (query.rows.length !== rows.length) return false
  const own = query.rows.map(row => row.map(plain))
  const right = rows.map(row => row.map(plain))
  return choices(columns).some(chosen =>
    [1, 100].some(scale => {
      const factors = chosen.map(index => (columns[index].endsWith('share') ? scale : 1))
      if (scale > 1 && !factors.includes(scale)) return false
      const fits = chosen.map((index, place) =>
        query.columns.flatMap((_, at) => {
          const same = (a, b) => isSame(a, b, factors[place])
          return matches(
            own.map(row => row[at]),
            right.map(row => row[index]),
            same,
            ordered,
          )
            ? [at]
            : []
        }),
      )
      const assign = used => {
        if (used.length < chosen.length) return fits[used.length].some(at => !used.includes(at) && assign([...used, at]))
        const same = (a, b) => a.every((value, place) => isSame(value, b[place], factors[place]))
        return matches(
          own.map(row => used.map(at => row[at])),
          right.map(row => chosen.map(index => row[index])),
          same,
          ordered,
        )
      }
      return assign([])
    }),
  )
}

/** A question that no source can answer is right without rows, or with those of gold, where the answer names what is missing. */
function saysNothing({ says }, { result, ran, found }) {
  if (result.error) return `${result.error.kind}: ${result.error.message}`
  if (result.interrupt) return ''
  if (found === undefined && ran.some(query => query.rows.length > 0)) return `answered with ${ran.at(-1).id}: read what it says`
  return new RegExp(says, 'i').test(result.answer ?? '') ? '' : 'does not say what is missing'
}

function judge(each, { result, ms }) {
  const queries = result.queries ?? []
  const ran = queries.filter(query => query.error === null && query.columns.length > 0)
  const found = ran.findLast(query => gold[each.id].some(rows => equals(query, rows, each.ordered)))
  const isCombined = queries.some(query => query.combined !== undefined)
  const sources = [...new Set(queries.map(query => query.source).filter(Boolean))].sort()
  const warned = (result.confidence ?? 'HIGH') !== 'HIGH' || /match|lost|partner|left out|dropp|only in/i.test(result.note ?? '')
  const last = ran.at(-1)
  const sizes = [...new Set(gold[each.id].map(({ rows }) => rows.length))].join('/')
  let reason = ''
  if (each.kind === 'one' && isCombined) reason = 'combined, though one source is enough'
  else if (each.kind === 'none') reason = saysNothing(each, { result, ran, found })
  else if (found !== undefined) reason = ''
  else if (result.error) reason = `${result.error.kind}: ${result.error.message}`
  else if (result.interrupt) reason = `asked back: ${result.interrupt.question}`
  else if (last === undefined) reason = queries.find(query => query.error)?.error ?? `no query (${result.intent})`
  else reason = `${last.id} has ${last.rows.length} rows, gold ${sizes}${isCombined ? '' : '; nothing combined'}`
  const { id, kind, loses } = each
  const short = sources.map(name => name.slice(0, 2)).join('+')
  const query = found?.id ?? ''
  return {
    id,
    kind,
    loses,
    right: reason === '',
    combined: isCombined,
    query,
    warned,
    confidence: result.confidence ?? '-',
    sources: short,
    ms,
    reason,
  }
}

/** Judges each gold result in another form, which must be right, and with a row or a figure changed, which must be wrong. */
function selfTest() {
  const report = (each, columns, rows) => {
    const names = columns.map((_, index) => ({ name: `c${index}` }))
    return judge(each, { ms: 0, result: { answer: each.says, queries: [{ id: 'Q1', error: null, columns: names, rows }] } }).right
  }
  for (const each of cases) {
    for (const [index, { columns, rows }] of gold[each.id].entries()) {
      const tell = what => console.log(`${each.id} gold ${index + 1} of ${rows.length} rows: ${what}`)
      const form = cell => (typeof cell === 'number' ? `${Number(cell.toFixed(Math.abs(cell) < 10 ? 4 : 1))}` : cell)
      const other = (each.ordered ? rows : rows.toReversed()).map(row => ['more', ...row.map(form).toReversed()])
      if (!report(each, ['more', ...columns], other)) tell('another form is taken for wrong')
      // What is left without its last row may be another accepted reading.
      const isOther = gold[each.id].some(one => one.rows.length === rows.length - 1)
      if (rows.length > 1 && !isOther && report(each, columns, rows.slice(0, -1))) tell('a lost row is not noticed')
    }
  }
}

if (options['self-test']) selfTest()
else {
  const verdicts = new Map()
  const waiting = [...cases]
  const work = async () => {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
      const file = join(folder, `${each.id}.json`)
      if (options.rescore && !existsSync(file)) continue
      const verdict = judge(each, options.rescore ? JSON.parse(readFileSync(file, 'utf8')) : await ask(each))
      verdicts.set(each.id, verdict)
      if (!options.rescore) console.error(`${verdicts.size}/${cases.length} ${each.id} ${verdict.reason || 'right'}`)
    }
  }
  await Promise.all(Array.from({ length: Number(options.parallel) }, work))
  const all = cases.flatMap(({ id }) => verdicts.get(id) ?? [])
  const widths = [4, 8, 6, 6, 7, 7, 9, 5, 0]
  const print = cells => console.log(cells.map((cell, index) => String(cell).padEnd(widths[index])).join(' '))
  print(['id', 'kind', 'right', 'query', 'warned', 'conf', 'sources', 's', 'why'])
  for (const { id, kind, right, query, warned, confidence, sources, ms, reason } of all) {
    const why = options.verbose ? reason : reason.slice(0, 110)
    print([id, kind, right ? 'yes' : 'NO', query, warned ? 'yes' : '', confidence, sources, (ms / 1000).toFixed(1), why])
  }
  const rate = (name, some) => console.log(`${name.padEnd(24)} ${some.filter(v => v.right).length} of ${some.length}`)
  const isTwo = ({ kind }) => !['three', 'one', 'none'].includes(kind)
  for (const each of new Set(all.map(v => v.kind))) {
    const some = all.filter(v => v.kind === each)
    rate(each, some)
  }
  rate('two sources', all.filter(isTwo))
  rate('all', all)
  const silent = all.filter(v => !v.right && !v.warned)
  console.log(`wrong and not warned     ${silent.length}, of these combined ${silent.filter(v => v.combined).map(v => v.id)}`)
  console.log(`rows lost and warned     ${all.filter(v => v.loses && v.warned).length} of ${all.filter(v => v.loses).length}`)
  console.log(`right, but warned        ${all.filter(v => v.right && v.warned && !v.loses).length}`)
  const times = all.map(v => Math.round(v.ms / 100) / 10).sort((a, b) => a - b)
  console.log(`seconds a question       median ${times[Math.floor(times.length / 2)]}, most ${times.at(-1)}`)
  writeFileSync(join(folder, 'verdicts.json'), `${JSON.stringify(all, null, 1)}\n`)
}
