import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { checkTemplates } from '../../src/pipelines/jobs/check-templates.ts'
import { parseJobDefinition } from '../../src/pipelines/jobs/definition.ts'
import { PipelineTables } from '../../src/pipelines/tables.ts'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { definitionOf, type PlantedCase, readPlantedCases, worldOf } from './planted-case.ts'
import { targetSql } from './target-sql.ts'

jest.setTimeout(60_000)

const cases = readPlantedCases()
const pipelineNames = [...new Set(cases.map(({ pipeline }) => pipeline))]
const signal = new AbortController().signal

let engine: TestEngine
beforeAll(async () => {
  engine = await startTestEngine()
})
afterAll(() => engine.close())

async function write(statements: readonly string[]): Promise<void> {
  for (const sql of statements) await engine.warehouse.write({ sql, database: 'default' }, signal)
}

async function makeWorld(pipeline: string): Promise<void> {
  const world = worldOf(pipeline)
  const databases = world.flatMap(sql => /^CREATE DATABASE (\w+)$/.exec(sql)?.[1] ?? [])
  await write(['pipelines', ...databases].map(database => `DROP DATABASE IF EXISTS ${database}`))
  await write(['CREATE DATABASE pipelines', ...world])
}

/** Returns the rows of a case's symptom over the result of its job. */
async function symptomOf(planted: PlantedCase, edits: PlantedCase['edits']): Promise<readonly (readonly unknown[])[]> {
  const definition = parseJobDefinition(definitionOf({ ...planted, edits }))
  const table = definition.target.table
  const sql = planted.symptom.sql.replace(`FROM ${table}`, `FROM (${targetSql(definition)})`)
  return (await engine.warehouse.read({ sql }, signal)).rows
}

describe.each(pipelineNames)('planted faults in %s', pipeline => {
  it('are in a valid definition', async () => {
    const { warehouse } = engine
    const definition = parseJobDefinition(definitionOf({ id: pipeline, pipeline, edits: [] }))
    await checkTemplates(definition, { warehouse, tables: new PipelineTables(warehouse, 'pipelines') }, signal)
  })

  it('show in the target, which is right without them', async () => {
    const planted = cases.filter(each => each.pipeline === pipeline)
    await makeWorld(pipeline)
    let isPristine = true
    // Cases that change the data come last, so that it is rarely created again.
    for (const each of planted.toSorted((one, other) => one.before.length - other.before.length)) {
      if (!isPristine) await makeWorld(pipeline)
      expect([each.id, ...(await symptomOf(each, []))]).toEqual([each.id, each.symptom.right])
      await write(each.before)
      isPristine = each.before.length === 0
      expect([each.id, ...(await symptomOf(each, each.edits))]).toEqual([each.id, each.symptom.wrong])
    }
  })
})

it('are 24 cases with unique ids over at least six pipelines, half of which need a replay', () => {
  expect(cases).toHaveLength(24)
  expect(new Set(cases.map(({ id }) => id)).size).toBe(24)
  expect(pipelineNames.length).toBeGreaterThanOrEqual(6)
  expect(cases.filter(planted => planted.needs_replay)).toHaveLength(12)
})

it('reveal no cause to the investigator', () => {
  const shown = pipelineNames.map(name => readFileSync(new URL(`pipelines/${name}.yaml`, import.meta.url), 'utf8')).join('\n')
  expect(shown).not.toMatch(/fault|plant|wrong|bug|#|--/i)
  for (const { needs_replay: needsReplay, preservation, edits } of cases) {
    if (needsReplay) expect(preservation).toBe('NONE')
    expect(edits.map(({ to }) => to).join('\n')).not.toMatch(/fault|bug|#|--/i)
  }
})
