import { serveEngine } from './serve-engine.ts'

await serveEngine()
