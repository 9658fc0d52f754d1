import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigurationError } from '../../base/errors.ts'
import { fileReason } from '../../base/file-reason.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { argumentSchema } from '../../pipelines/jobs/definition.ts'
import type { Job } from '../../pipelines/jobs/store.ts'
import type { Pipelines } from '../../pipelines/pipelines.ts'
import type { JobArguments } from '../../pipelines/sql-template.ts'
import { answerWords } from '../../words/answer.ts'
import { reachWriter, wirePipelines } from '../pipelines.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'
import { printList } from './print-list.ts'

const argumentsSchema = z.record(z.string(), argumentSchema)

export async function registerJobCommand(context: CommandContext, file: string): Promise<number> {
  const yaml = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigurationError(`The definition in ${file} cannot be read: ${fileReason(error)}.`, { cause: error })
  })
  const { name, version, isNew } = await (await openPipelines(context)).register(yaml, context.signal)
  context.output.write(`${name} ${isNew ? `is registered as version ${version}` : `stays as it is, version ${version}`}.\n`)
  return EXIT.answered
}

/** `clew jobs list`: shows each registered job with its latest run, and the replays that have not ended yet. */
export async function listJobsCommand(context: CommandContext): Promise<number> {
  const pipelines = await openPipelines(context)
  const registered = await pipelines.list(context.signal)
  const rows = await Promise.all(
    registered.map(async ({ name, version, definition }) => {
      const job = await pipelines.latest(name, context.signal)
      return [
        name,
        version,
        definition.schedule ?? '',
        job?.status ?? 'never run',
        job === undefined ? '' : timeOf(job.startedAt ?? job.createdAt),
        job?.id ?? '',
        definition.description,
      ]
    }),
  )
  const header = ['job', 'v', 'schedule', 'last run', 'started', 'id', 'description']
  const empty = 'No job is registered. Register one with clew jobs register FILE.'
  printList(context, {}, { header, rows, numeric: [1], whole: [0, 5], hidesEmpty: true, empty })
  for (const replay of await pipelines.replaysUnderWay(context.signal)) {
    context.output.write(`${terminalText(jobSentence(replay))}\n`)
  }
  return EXIT.answered
}

export async function runJobCommand(
  context: CommandContext,
  name: string,
  options: { readonly kwargs?: string; readonly preserve?: string },
): Promise<number> {
  const pipelines = await openPipelines(context)
  const preservation = z.enum(['NONE', 'FULL']).optional().safeParse(options.preserve?.toUpperCase())
  if (!preservation.success) throw new ConfigurationError('--preserve takes full or none.')
  // Even after Ctrl-C, the job must be recorded as stopped. So this signal never aborts.
  const own = new AbortController().signal
  const created = await pipelines.create(
    name,
    {
      arguments: readArguments(options.kwargs),
      ...(preservation.data === undefined ? {} : { preservation: preservation.data }),
    },
    own,
  )
  tell(context, created.id)
  const job = await pipelines.run(
    created.id,
    {
      cancel: context.signal,
      observe: event => {
        if (event.kind === 'task_started') return
        const outcome = event.error === '' ? answerWords('en').rows(event.rows ?? 0, false) : event.error
        tell(context, `${event.error === '' ? '✓' : '✗'} ${event.task}: ${outcome}`)
      },
    },
    own,
  )
  context.output.write(`${terminalText(jobSentence(job))}\n`)
  return job.status === 'COMPLETED' ? EXIT.answered : EXIT.failed
}

/** `clew jobs show ID`: shows a job with its tasks. A name means the latest job of that name. */
export async function showJobCommand(context: CommandContext, idOrName: string): Promise<number> {
  const pipelines = await openPipelines(context)
  const latest = await pipelines.latest(idOrName, context.signal)
  if (latest === undefined && (await pipelines.list(context.signal)).some(({ name }) => name === idOrName)) {
    context.output.write(`${idOrName} has not run yet. Run it with clew jobs run ${idOrName}.\n`)
    return EXIT.answered
  }
  const id = latest?.id ?? idOrName
  const { job, tasks, log } = await pipelines.history(id, context.signal)
  // Table names are shown without the pipelines' own database, so that they fit on a line and can be copied.
  const { database } = context.config.pipelines
  const tables = new Map(
    log.map(({ taskId, result }) => [taskId, result.database === database ? result.name : `${result.database}.${result.name}`]),
  )
  const rows = tasks.map(task => [
    task.name,
    task.status,
    task.attempts,
    task.rows ?? '',
    timeOf(task.startedAt),
    task.status === 'COMPLETED' ? (tables.get(task.name) ?? '') : '',
    task.error,
  ])
  const header = ['task', 'status', 'attempts', 'rows', 'started', 'table', 'error']
  const shown = Object.keys(job.arguments).length === 0 ? '' : ` Arguments: ${JSON.stringify(job.arguments)}.`
  context.output.write(`${terminalText(jobSentence(job) + shown)}\n`)
  return printList(context, {}, { header, rows, numeric: [2, 3], whole: [5], hidesEmpty: true })
}

/** `clew jobs cancel ID`: stops a job. A name is enough if exactly one job of that name is running. */
export async function cancelJobCommand(context: CommandContext, idOrName: string): Promise<number> {
  const job = await (await openPipelines(context)).cancel(idOrName, context.signal)
  const sentence = job.status === 'RUNNING' ? `${job.id} will end within seconds.` : jobSentence(job)
  context.output.write(`${terminalText(sentence)}\n`)
  return EXIT.answered
}

/** Opens the pipelines. First marks the jobs of dead processes as failed, and drops expired tables. */
async function openPipelines(context: CommandContext): Promise<Pipelines> {
  const { pipelines } = wirePipelines(context, await reachWriter(context, context.signal))
  const { failed } = await pipelines.sweep(context.signal)
  for (const job of failed) tell(context, jobSentence(job))
  return pipelines
}

function readArguments(text: string | undefined): JobArguments {
  if (text === undefined) return {}
  try {
    return argumentsSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new ConfigurationError(
      `--kwargs takes a JSON object of texts, numbers, true, false and null, e.g. '{"since": "2026-01-01"}'. A whole number above ${Number.MAX_SAFE_INTEGER} must be a text.`,
      {
        cause: error,
      },
    )
  }
}

function jobSentence({ id, name, version, status, error, replayOf, startedAt, finishedAt }: Job): string {
  const seconds =
    startedAt === undefined || finishedAt === undefined
      ? ''
      : ` after ${((finishedAt.getTime() - startedAt.getTime()) / 1_000).toFixed(1)} s`
  const repeated = replayOf === undefined ? '' : `, a replay of ${replayOf.jobId}`
  return `${id} (${name}, version ${version}${repeated}): ${status}${seconds}${error === '' ? '' : `: ${error.replace(/(?<![.\s])[.\s]+$/, '')}`}.`
}

function timeOf(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ')
}
