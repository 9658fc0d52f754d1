import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { ClewError, ConfigurationError, errorMessage } from '../../src/base/errors.ts'
import { shutdownSignal } from '../../src/base/lifecycle.ts'
import { createLogger } from '../../src/base/logger.ts'
import { readConfig } from '../../src/main/config.ts'
import { investigateCase } from './investigate-case.ts'
import { readPlantedCases } from './planted-case.ts'

const USAGE_STATUS = 2

/**
 * The command `npm run evals:lineage`: gives planted faults to the configured model and saves its findings.
 * @param args the command line behind the program's name
 * @returns the exit code: 0, 1 if an investigation failed, 2 for invalid options or configuration
 */
export async function mainLineageEvals(args: readonly string[]): Promise<number> {
  const command = new Command('npm run evals:lineage --')
    .description(
      'Has the configured model look for faults that were planted in pipelines. One that has a report in DIR is not done again.',
    )
    .option('--case <ids...>', 'those cases')
    .option('--all', 'every case', false)
    .requiredOption('--dir <dir>', 'where the reports go, ID.json each')
    .allowExcessArguments(false)
    .exitOverride()
  try {
    command.parse(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_STATUS
    throw error
  }
  const given = command.opts<{ case?: readonly string[]; all: boolean; dir: string }>()
  const { signal, dispose } = shutdownSignal()
  try {
    return await runCases(given, signal)
  } catch (error) {
    if (signal.aborted) {
      console.error('Stopped.')
      return 1
    }
    if (!(error instanceof ConfigurationError)) throw error
    console.error(errorMessage(error))
    return USAGE_STATUS
  } finally {
    dispose()
  }
}

async function runCases(
  { case: ids, all, dir }: { readonly case?: readonly string[]; readonly all: boolean; readonly dir: string },
  signal: AbortSignal,
): Promise<number> {
  const cases = readPlantedCases()
  const unknown = ids?.find(id => !cases.some(each => each.id === id))
  if (all === (ids !== undefined) || unknown !== undefined) {
    console.error(
      unknown === undefined
        ? 'Give either --case or --all.'
        : `There is no case ${unknown}: ${cases.map(({ id }) => id).join(', ')}.`,
    )
    return USAGE_STATUS
  }
  const { CLICKHOUSE_URL: _, REDIS_URL: __, ...env } = process.env
  const config = readConfig({ ...env, CLICKHOUSE_URL: 'chdb:memory' })
  const logger = createLogger({ level: config.logLevel, secrets: config.secrets })
  mkdirSync(dir, { recursive: true })
  let failed = 0
  for (const planted of all ? cases : cases.filter(({ id }) => ids?.includes(id))) {
    const path = join(dir, `${planted.id}.json`)
    if (existsSync(path)) {
      console.log(`${planted.id}  is in ${dir} already`)
      continue
    }
    try {
      const report = await investigateCase(planted, { config, logger }, signal)
      writeFileSync(`${path}.part`, `${JSON.stringify(report, null, 1)}\n`)
      renameSync(`${path}.part`, path)
      console.log(
        `${planted.id}  tier ${report.tier}, ${report.rounds} rounds, ${report.tokens.in} + ${report.tokens.out} tokens: ${report.root_cause}`,
      )
    } catch (error) {
      if (signal.aborted || !(error instanceof ClewError) || error instanceof ConfigurationError) throw error
      failed += 1
      console.error(`${planted.id}  ${errorMessage(error)}`)
    }
  }
  return failed === 0 ? 0 : 1
}
