import { readFileSync } from 'node:fs'

/** @type {{ packages: Record<string, { version?: string }> }} */
const lock = JSON.parse(readFileSync(new URL('package-lock.json', import.meta.url), 'utf8'))

/**
 * Each peer by its folder, with its main library and that library's version as installed.
 * @satisfies {Record<string, { name: string, version: string }>}
 */
export const versions = {
  barriers: { name: 'openai', version: installed('openai') },
  langgraph: { name: '@langchain/langgraph', version: installed('@langchain/langgraph') },
  'ai-sdk': { name: 'ai', version: installed('ai') },
  'openai-agents': { name: '@openai/agents', version: installed('@openai/agents') },
}

/** @param {string} name */
function installed(name) {
  const version = lock.packages[`node_modules/${name}`]?.version
  if (version === undefined) throw new Error(`${name} is not in package-lock.json`)
  return version
}
