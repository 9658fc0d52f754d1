import { type Command, Option } from 'commander'
import { MCP_MODES, MCP_TOOLS } from '../../mcp/parts.ts'
import { runs } from './action.ts'
import { lifeTime, mcpTools, pointInTime, threadName, wholeNumber } from './option-values.ts'

// The table of all commands, by the groups of `clew --help`. The file that an action loads does the work of its command.

const MODES = Object.keys(MCP_MODES)
const SERVICE = { isService: true }

export function addAskCommands(program: Command): void {
  program
    .command('ask')
    .description('answer one question')
    .argument('<question>', 'in quotes')
    .option('--json', 'print one JSON object instead of text', false)
    .option('--sources', 'show the SQL too, and where each figure of the answer comes from', false)
    .option('--thread <id>', 'continue the conversation of this name (kept in Redis)', threadName)
    .option('--as <role>', 'ask as somebody with this role of access.yaml')
    .option(
      '--yes',
      'do not ask before a query over the cost budget or a replay: run it; the limits of the reader hold all the same',
      false,
    )
    .option('--out <file>', 'write the definition of a drafted pipeline into this file')
    .action(runs(async () => (await import('../commands/ask.ts')).askCommand))

  program
    .command('chat')
    .description('hold a conversation at the terminal')
    .option('--thread <id>', 'continue the conversation of this name (kept in Redis)', threadName)
    .action(runs(async () => (await import('../commands/chat.ts')).chatCommand))

  program
    .command('mcp')
    .description('serve agents over MCP, on standard input and output')
    .addOption(
      new Option(
        '--mode <mode>',
        'ask: Clew answers; context: the agent reads tables itself, and no model is needed; default: both',
      ).choices(MODES),
    )
    .option('--without <tools>', `leave tools out: ${MCP_TOOLS.join()}`, mcpTools)
    .option('--as <role>', 'serve with the rights of this role of access.yaml')
    .action(runs(async () => (await import('../commands/mcp.ts')).mcpCommand))

  program
    .command('schema')
    .description('list the tables, or describe one')
    .argument('[table]', 'its name, with its database if that is not the first one')
    .option('--source <id>', 'the data source, if CLEW_SOURCES_FILE has several')
    .option('--json', 'print JSON', false)
    .action(runs(async () => (await import('../commands/schema.ts')).schemaCommand))

  program
    .command('sources')
    .description('list the data sources (CLEW_SOURCES_FILE), and say which can be reached')
    .option('--json', 'print JSON', false)
    .action(runs(async () => (await import('../commands/sources.ts')).sourcesCommand))

  program
    .command('lineage')
    .description('find out why a row of a pipeline is wrong or missing; without a question: its graph and last run')
    .argument('<job>', 'by name, or a run by its id')
    .argument('[question]')
    .option('--json', 'print one JSON object instead of text', false)
    .option('--sources', 'show the SQL too, and where each figure of the answer comes from', false)
    .option('--deep', 'run the job again first, with every table kept and nothing published', false)
    .option('--yes', 'run it again without asking where that is needed', false)
    .option('--picture <file>', 'draw the graph as PNG into this file as well')
    .action(runs(async () => (await import('../commands/lineage.ts')).lineageCommand))
}

export function addSetUpCommands(program: Command): void {
  program
    .command('load')
    .description('make tables of files (CSV, TSV, JSON lines, Parquet) in the folder of the embedded engine, and show them first')
    .argument('<file...>')
    .option('--as <table>', 'the name of the table; all files go into it')
    .option('--comments <file>', 'YAML with comments: `table`, a text, and `columns`, a text for each name')
    .option('--replace', 'put the table in the place of one of that name', false)
    .option('--yes', 'load without asking first', false)
    .action(runs(async () => (await import('../commands/load.ts')).loadCommand))

  program
    .command('doctor')
    .description('check everything outside: the data, Redis, the model, the chat tokens; says what to do')
    .option('--json', 'print JSON', false)
    .action(runs(async () => (await import('../commands/doctor.ts')).doctorCommand, { logLevel: 'silent', isQuiet: true }))

  program
    .command('init')
    .description(
      'ask where the data is (files, Postgres or ClickHouse) and for the other settings, try each, and write them into .env',
    )
    .action(runs(async () => (await import('../commands/init.ts')).initCommand, { logLevel: 'silent' }))

  program
    .command('demo')
    .description('a sample conversation over generated data, then one of your own; it needs no model')
    .option('--once', 'end after the sample conversation', false)
    .addOption(new Option('--record [threads...]', 'ask the model the sample questions, and keep what it says').hideHelp())
    .action(
      runs(async () => (await import('../commands/demo.ts')).demoCommand, {
        env: async () => (await import('../commands/demo.ts')).demoEnvironment(),
      }),
    )

  program
    .command('discord-commands')
    .description('register the slash commands with Discord, where they are not registered yet')
    .action(runs(async () => (await import('../commands/discord-commands.ts')).discordCommandsCommand))

  program
    .command('migrate')
    .description("make Clew's own tables, or bring them up to date")
    .action(runs(async () => (await import('../commands/migrate.ts')).migrateCommand))
}

export function addDefineCommands(program: Command): void {
  program
    .command('guard')
    .description('judge SQL read from standard input, one {"id", "sql"} a line, without running it')
    .requiredOption('--scope <tables>', 'the tables that may be read, as db.t1,db.t2; the first database is the current one')
    .option('--source <id>', 'judge as this data source of CLEW_SOURCES_FILE does')
    .action(runs(async () => (await import('../commands/guard.ts')).judgeStandardInput))

  const domain = program.command('domain').description('the domain pack: what you have told Clew of your data (CLEW_DOMAIN_DIR)')
  domain
    .command('check')
    .description('check every metric and verified query against the schema')
    .action(runs(async () => (await import('../commands/domain.ts')).checkDomainCommand))
  domain
    .command('proposals')
    .description('list the queries of answers that people found helpful, to be verified')
    .action(runs(async () => (await import('../commands/domain.ts')).domainProposalsCommand))
  domain
    .command('verify')
    .description('add a query of a helpful answer to the verified ones')
    .argument('<run_id>')
    .requiredOption('--by <name>', 'who has checked that it is right')
    .option('--query <n>', 'which query of the answer', wholeNumber, 1)
    .action(runs(async () => (await import('../commands/domain.ts')).verifyQueryCommand))

  program
    .command('evals')
    .description('ask questions whose right answers are known, and report how many were answered rightly')
    .requiredOption('--cases <file>', 'the cases, one JSON object a line')
    .option('--concurrency <n>', 'cases asked at a time', wholeNumber, 4)
    .option('--sample <n>', 'only so many of the cases, always the same ones', wholeNumber)
    .option('--out <folder>', 'where transcripts and reports go; cases that were answered there are not asked again')
    .option('--json <file>', 'copy the report as JSON to this file')
    .option('--compare <file>', 'an earlier report (JSON) to compare with, case by case')
    .option('--without <parts>', 'leave parts of the context out of the prompts: joins,samples,…')
    .option('--context', 'ask nothing: say how many tokens each part of the context takes')
    .action(runs(async () => (await import('../commands/evals.ts')).evalsCommand))

  const jobs = program.command('jobs').description('data pipelines: their definitions and runs')
  jobs
    .command('list')
    .description('list the registered jobs')
    .action(runs(async () => (await import('../commands/jobs.ts')).listJobsCommand))
  jobs
    .command('register')
    .description('register a definition, or a new version of it')
    .argument('<file>', 'YAML')
    .action(runs(async () => (await import('../commands/jobs.ts')).registerJobCommand))
  jobs
    .command('run')
    .description('run a job to its end')
    .argument('<name>')
    .option('--kwargs <json>', "arguments in place of the definition's defaults")
    .option('--preserve <mode>', 'full keeps every table for the time that the definition says, none drops what is not published')
    .action(runs(async () => (await import('../commands/jobs.ts')).runJobCommand))
  jobs
    .command('show')
    .description('show a run of a job')
    .argument('<id>', 'of a run, or the name of a job for its latest')
    .action(runs(async () => (await import('../commands/jobs.ts')).showJobCommand))
  jobs
    .command('cancel')
    .description('end a run')
    .argument('<id>', 'of a run, or the name of a job of which one has not ended')
    .action(runs(async () => (await import('../commands/jobs.ts')).cancelJobCommand))
}

export function addLookAfterCommands(program: Command): void {
  program
    .command('trace')
    .description('show the steps of a run')
    .argument('<run_id>', 'run_…, which `clew ask --json` and the console show')
    .option('--json', 'print JSON', false)
    .action(runs(async () => (await import('../commands/trace.ts')).traceCommand))

  program
    .command('feedback')
    .description('show what people said of answers by Helpful and Not helpful, the latest first')
    .option('--json', 'print JSON, with the SQL of each answer', false)
    .action(runs(async () => (await import('../commands/feedback.ts')).feedbackCommand))

  program
    .command('audit')
    .description('show who did what: model calls, queries, answers, replays, drafts, presses, tokens and rights, the newest last')
    .option('--person <name>', 'only this person, as a line names them: slack/U012ABC')
    .addOption(
      new Option('--from <time>', 'since when: 7d, 12h or 2026-10-03').argParser(pointInTime).default(pointInTime('7d'), '7d'),
    )
    .addOption(new Option('--to <time>', 'until when; default: now').argParser(pointInTime))
    .option('--json', 'print one JSON object a line', false)
    .action(runs(async () => (await import('../commands/audit.ts')).auditCommand))

  program
    .command('forget')
    .description('delete what Clew keeps of one person; without --yes, show what that is and ask')
    .requiredOption('--person <name>', 'the person, as `clew audit` names them: slack/U012ABC')
    .option('--yes', 'delete without asking', false)
    .action(runs(async () => (await import('../commands/forget.ts')).forgetCommand))

  program
    .command('privacy')
    .description('list what leaves this machine, and what is kept where and for how long')
    .action(runs(async () => (await import('../commands/privacy.ts')).privacyCommand))

  program
    .command('usage')
    .description('show what you have used and may use, or report what everybody has used')
    .option('--person <name>', 'another person, as the report names people: slack/U024BE7LH')
    .option('--report', 'by person, channel, role, data source and model: most used, most expensive, least helpful', false)
    .option('--from <day>', 'the first day of the report: 2026-11-27, or 7d for seven days ago', '30d')
    .option('--to <day>', 'its last day', '0d')
    .option('--json', 'print JSON', false)
    .action(runs(async () => (await import('../commands/usage.ts')).usageCommand))

  const deadLetters = program.command('dead-letters').description('messages that could be neither answered nor refused')
  deadLetters
    .command('list')
    .description('list them, the latest first')
    .option('--json', 'print JSON', false)
    .action(runs(async () => (await import('../commands/dead-letters.ts')).listDeadLettersCommand))
  deadLetters
    .command('retry')
    .description('have a message answered, once its cause is gone')
    .argument('<id>', 'as `clew dead-letters list` shows it')
    .action(runs(async () => (await import('../commands/dead-letters.ts')).retryDeadLetterCommand))
  deadLetters
    .command('drop')
    .description('forget a message')
    .argument('<id>', 'as `clew dead-letters list` shows it')
    .action(runs(async () => (await import('../commands/dead-letters.ts')).dropDeadLetterCommand))

  const subscriptions = program.command('subscriptions').description('reports and alerts that come by themselves')
  subscriptions
    .command('list')
    .description('list them')
    .option('--json', 'print JSON', false)
    .action(runs(async () => (await import('../commands/subscriptions.ts')).listSubscriptionsCommand))
  subscriptions
    .command('show')
    .description('show one, with its SQL and its last runs')
    .argument('<id>', 'sub_…, as `clew subscriptions list` shows it')
    .option('--json', 'print JSON', false)
    .action(runs(async () => (await import('../commands/subscriptions.ts')).showSubscriptionCommand))

  for (const [steering, description] of [
    ['pause', 'let one rest'],
    ['resume', 'let one go on, also one that has stopped'],
    ['run', 'run one now'],
    ['delete', 'delete one, with its history'],
  ] as const)
    subscriptions
      .command(steering)
      .description(description)
      .argument('<id>', 'sub_…, as `clew subscriptions list` shows it')
      .action(runs(async () => (await import('../commands/subscriptions.ts')).steerSubscriptionCommand(steering)))

  const tokens = program.command('tokens').description('the tokens of HTTP clients')
  tokens
    .command('create')
    .description('make a token, and print it this once')
    .option('--role <role>', 'the role of access.yaml whose rights the token has; needed if there are rules')
    .option('--person <name>', 'the person whose rights it has instead, as a line of `clew audit` names them: slack/U012ABC')
    .option('--workspace <id>', 'the workspace or server of that person')
    .addOption(new Option('--expires <time>', 'how long it holds: 90d, 12h').argParser(lifeTime).default(lifeTime('90d'), '90d'))
    .option('--rate <n>', 'how many turns it may start in a minute', wholeNumber, 60)
    .option('--name <name>', 'what it is for')
    .action(runs(async () => (await import('../commands/tokens.ts')).createTokenCommand))
  tokens
    .command('link')
    .description('print a link that signs you in to the console, once')
    .option('--role <role>', 'the role of access.yaml whose rights you have there; needed if there are rules')
    .option('--days <n>', 'how many days the session lasts (default: 12 hours)', wholeNumber)
    .action(runs(async () => (await import('../commands/tokens.ts')).linkCommand))
  tokens
    .command('list')
    .description('list the tokens, without their secrets')
    .option('--json', 'print JSON', false)
    .action(runs(async () => (await import('../commands/tokens.ts')).listTokensCommand))
  tokens
    .command('revoke')
    .description('end a token at once')
    .argument('<id>', 'tok_…, as `clew tokens list` shows it')
    .action(runs(async () => (await import('../commands/tokens.ts')).revokeTokenCommand))
}

export function addServeCommands(program: Command): void {
  program
    .command('bots')
    .description('connect to every configured chat platform')
    .action(runs(async () => (await import('../bots.ts')).botsCommand, SERVICE))

  program
    .command('worker')
    .description('answer what the bots accepted; any number may run')
    .action(runs(async () => (await import('../worker.ts')).workerCommand, SERVICE))

  program
    .command('serve')
    .description('take questions over HTTP; workers answer them')
    .addOption(new Option('--mcp-mode <mode>', 'offer agents at /mcp one mode alone, as `clew mcp --mode` does').choices(MODES))
    .option('--mcp-without <tools>', 'offer agents at /mcp fewer tools, as `clew mcp --without` does', mcpTools)
    .action(runs(async () => (await import('../serve.ts')).serveCommand, SERVICE))
}
