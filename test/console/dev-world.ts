import { writeFileSync } from 'node:fs'
import { startConsoleWorld } from './world.ts'
const book = {
  'How many validators are there?': {
    queries: { 'Count the validators that are connected, and all.': ['SELECT uniqExact(v.vote_pubkey) AS connected, (SELECT count() FROM vote_accounts) AS all_validators FROM dz_users AS u INNER JOIN gossip_nodes AS g ON g.gossip_ip = u.dz_ip INNER JOIN vote_accounts AS v ON v.node_pubkey = g.pubkey WHERE u.status = \'activated\''] },
    answer: '**246 validators {=A1}** are connected to the network. [Q1] That is a share of {100*A1/B1: 1} % of all 900 validators {=B1}. [Q1]',
  },
  'How many devices does each metro have?': {
    queries: {
      'Count the devices of each metro.': ['SELECT metro_code, count() AS devices FROM dz_devices GROUP BY metro_code ORDER BY devices DESC, metro_code'],
      'Count all devices.': ['SELECT count() AS devices FROM dz_devices WHERE nope = 1', 'SELECT count() AS devices FROM dz_devices'],
    },
    answer: '### Devices by metro\n\nThere are {sum(Q1.B)} devices. [Q1]\n\n- The highest is {max(Q1.B)} [Q1].\n- Second line with `code`.\n',
    chart: { kind: 'bar', label: 'metro_code', values: ['devices'], series: null },
  },
  'How many are there?': { clarification: { question: 'How many of what?', choices: ['Devices', 'Metros'] } },
  Devices: { standalone: 'How many devices are there?', queries: { 'Count the devices.': ['SELECT count() AS devices FROM dz_devices'] }, answer: 'There are {=A1} devices [Q1].' },
  'List the measurements.': {
    queries: { 'List the measurements.': ['SELECT measured_at, link_code, direction, packets_sent, packets_lost FROM fact_link_telemetry ORDER BY measured_at, link_code, direction LIMIT 10000'] },
    answer: 'These are the first of the measurements. [Q1]',
  },
  'Show hostile rows.': {
    queries: { 'Select <b>markup</b>.': ["SELECT '<img src=x onerror=document.title=1>' AS `<b>name</b>`, 'javascript:alert(1)' AS link, concat('a', 'b') AS bidi, repeat('x', 900) AS long, NULL AS empty"] },
    answer: 'A row has <img src=x onerror="document.title=1"> and [a link](javascript:alert(1)) and ![pic](https://evil.example/x.png). [Q1]',
  },
  'Tell me something long.': { intent: 'conversational', reply: Array.from({ length: 700 }, (_, i) => `- Fact **${i}** of many, with \`code\` and _words_ <b>bold</b>.`).join('\n') },
  'Which links are slowest?': { queries: { 'List the links by their time.': ['SELECT link_code, round(avg(rtt_ms), 1) AS mean_ms, max(rtt_ms) AS max_ms FROM fact_link_telemetry GROUP BY link_code ORDER BY mean_ms DESC LIMIT 5'] }, answer: 'The slowest links:\n\n{table Q1 1-5: Link=A, Mean (ms)=B, Share (%)=100*B/sum(B)}' },
  'Break.': { queries: { 'Read what is not there.': ['SELECT nothing FROM dz_devices'] }, answer: 'Nothing.' },
}
const world = await startConsoleWorld(book as never, { env: { CLEW_TRACE_CONTENT: '1', CLEW_PRICES_FILE: '/tmp/w/s22/cp-dev/prices.json' } })
const operator = await world.signIn({ person: 'terminal/root' } as never)
writeFileSync('/tmp/w/s22/cp-dev/world.json', JSON.stringify({ url: world.url, cookie: operator.headers.Cookie, pid: process.pid, env: world.env }))
for (const text of Object.keys(book)) { if (text !== 'Devices') await operator.ask(text).then(id => console.log(text, id), e => console.log(text, String(e))) }
console.log('ready')
process.on('SIGTERM', () => void world.close().then(() => process.exit(0)))
setInterval(() => undefined, 1000)
