import { afterAll, beforeAll, describe } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { warehouseContract } from './warehouse.contract.ts'

let engine: TestEngine
beforeAll(async () => {
  engine = await startTestEngine()
})
afterAll(() => engine.close())

describe('the warehouse on the embedded engine', () => {
  warehouseContract(() => engine.warehouse, 'default')
})
