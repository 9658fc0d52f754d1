import { ConfigurationError } from '../../base/errors.ts'
import { packageFile } from '../../base/package-files.ts'
import { type CrmNetwork, createDemoCrm, fillDemoCrm } from '../../postgres/demo/crm.ts'
import type { PostgresPrograms } from '../../postgres/local/programs.ts'
import { type LocalPostgres, startLocalPostgres } from '../../postgres/local/server.ts'
import { readSourcesFile } from '../../sources/read-sources-file.ts'
import type { SourceConfig } from '../../sources/source.ts'
import type { WiringContext } from '../store.ts'

export const DEMO_SOURCES_FILE = packageFile('demo', 'sources.yaml')

/** The demo's second data source: a Postgres of its own with the network's customers. */
export class DemoCrm {
  readonly #server: LocalPostgres

  private constructor(server: LocalPostgres) {
    this.#server = server
  }

  /**
   * Starts the server and makes its tables. If that is impossible, says so, and the demo goes on without this source.
   * @param programs undefined if this machine has no Postgres
   */
  static async start(
    { resources }: Pick<WiringContext, 'resources'>,
    programs: PostgresPrograms | undefined,
    say: (text: string) => void,
  ): Promise<DemoCrm | undefined> {
    if (programs === undefined) {
      say('There is no Postgres here that the demo could start, so it goes on without its second data source.')
      return undefined
    }
    const starting = startLocalPostgres(programs)
    // Also a server that is still starting is stopped at the end.
    resources.add('demo crm', starting, opened => opened.then(server => server.close()).catch(() => {}))
    try {
      const server = await starting
      await createDemoCrm(server)
      return new DemoCrm(server)
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      say(`${error.message}. The demo goes on without its second data source.`)
      return undefined
    }
  }

  /** The address for questions. It contains a password. */
  get url(): string {
    return this.#server.url
  }

  /** Returns the demo's data sources, as `demo/sources.yaml` describes them. */
  sources(clickhouseUrl: string | undefined): readonly SourceConfig[] {
    const variables: Readonly<Record<string, string | undefined>> = { CLICKHOUSE_URL: clickhouseUrl, CRM_URL: this.url }
    return readSourcesFile(DEMO_SOURCES_FILE, name => variables[name])
  }

  /** @throws WarehouseError */
  fill(network: CrmNetwork, signal: AbortSignal): Promise<void> {
    return fillDemoCrm(this.#server, network, signal)
  }

  /** Stops the server for the time of the work. */
  async whileAway<T>(work: () => Promise<T>): Promise<T> {
    await this.#server.shutDown()
    return work().finally(() => this.#server.restart())
  }
}
