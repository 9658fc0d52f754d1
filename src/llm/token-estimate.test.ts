import { describe, expect, it } from '@jest/globals'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { estimateTokens } from './token-estimate.ts'

const rows = Array.from(
  { length: 40 },
  (_, row) => `| nyc-dzd${row} | ${((row * 7919) % 1000) / 7} | 2026-03-${10 + (row % 20)} | activated |`,
)
const samples = {
  prose:
    'Each data question is written as one query. Answer with the headline first, then the details; say which time zone is meant, and cite every claim.',
  sql: "SELECT metro, countIf(status = 'pending') AS pending, round(avg(latency_ms), 2) AS latency FROM dz_devices AS d INNER JOIN dz_links AS l ON l.device_pk = d.pk WHERE d.snapshot_ts >= now() - INTERVAL 7 DAY GROUP BY metro ORDER BY pending DESC LIMIT 10",
  json: JSON.stringify({
    data_questions: [{ question: 'Which links had loss above 1 % last week?', rationale: 'Loss is what users notice.' }],
  }),
  table: rows.join('\n'),
  German:
    'Wie viele Geräte waren in der letzten Woche in jeder Stadt aktiv, und welche Verbindungen hatten Verluste von mehr als einem Prozent?',
  Chinese: '上周每个城市激活了多少台设备？请按数量降序排列，并说明每个数字的来源。',
}

describe('estimateTokens', () => {
  it.each(Object.entries(samples))('is within a quarter of o200k_base for %s', (_, text) => {
    const share = estimateTokens(text) / countTokens(text)
    expect(share).toBeGreaterThan(0.75)
    expect(share).toBeLessThan(1.25)
  })

  it('is 0 for an empty text', () => {
    expect(estimateTokens(' \n')).toBe(0)
  })
})
