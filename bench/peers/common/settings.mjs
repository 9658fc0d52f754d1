import { readFileSync } from 'node:fs'

/**
 * A peer's settings from its environment (see ../CONTRACT.md).
 * @typedef {object} Settings
 * @property {string} modelUrl of an OpenAI-compatible endpoint, ends in `/v1`
 * @property {string} apiKey any text: only the clients require it
 * @property {string} model
 * @property {string} warehouseUrl of ClickHouse's HTTP interface, with user and password
 * @property {string} schema the database's tables, as in every prompt
 * @property {string} peer the name of the measured program
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Settings}
 */
export function readSettings(env) {
  return {
    modelUrl: needed(env, 'BENCH_MODEL_URL'),
    apiKey: 'none',
    model: 'simulated',
    warehouseUrl: needed(env, 'BENCH_WAREHOUSE_URL'),
    schema: readFileSync(needed(env, 'BENCH_SCHEMA_FILE'), 'utf8'),
    peer: needed(env, 'BENCH_PEER'),
  }
}

/**
 * Returns headers that tell the benchmark's model the peer and the step.
 * @param {Settings} settings
 * @param {import('./steps.mjs').Step} [step] none for a tool loop
 * @returns {Record<string, string>}
 */
export function benchHeaders({ peer }, step) {
  return { 'x-bench-peer': peer, ...(step === undefined ? {} : { 'x-bench-step': step }) }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name
 */
function needed(env, name) {
  const value = env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set`)
  return value
}
