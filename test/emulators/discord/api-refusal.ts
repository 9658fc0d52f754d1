import type { JsonObject } from './json.ts'

/** Discord's error answers. Discord documents them in topics/opcodes-and-status-codes, "JSON Error Codes". */
const REFUSALS = {
  unauthorized: { status: 401, code: 0, message: '401: Unauthorized' },
  notFound: { status: 404, code: 0, message: '404: Not Found' },
  methodNotAllowed: { status: 405, code: 0, message: '405: Method Not Allowed' },
  unknownChannel: { status: 404, code: 10003, message: 'Unknown Channel' },
  unknownGuild: { status: 404, code: 10004, message: 'Unknown Guild' },
  unknownMember: { status: 404, code: 10007, message: 'Unknown Member' },
  unknownMessage: { status: 404, code: 10008, message: 'Unknown Message' },
  unknownUser: { status: 404, code: 10013, message: 'Unknown User' },
  unknownWebhook: { status: 404, code: 10015, message: 'Unknown Webhook' },
  unknownInteraction: { status: 404, code: 10062, message: 'Unknown interaction' },
  unknownCommand: { status: 404, code: 10063, message: 'Unknown application command' },
  notYourApplication: { status: 403, code: 20012, message: 'You are not authorized to perform this action on this application' },
  tooManyFiles: { status: 400, code: 30015, message: 'Maximum number of attachments in a message reached (10)' },
  tooManyCommands: { status: 400, code: 30032, message: 'Maximum number of application commands reached (100).' },
  tooManyCommandCreates: {
    status: 400,
    code: 30034,
    message: 'Maximum number of daily application command creates has been reached (200)',
  },
  entityTooLarge: { status: 413, code: 40005, message: 'Request entity too large' },
  alreadyAcknowledged: { status: 400, code: 40060, message: 'Interaction has already been acknowledged.' },
  blockedUserAgent: { status: 403, code: 40333, message: 'internal network error' },
  missingAccess: { status: 403, code: 50001, message: 'Missing Access' },
  noDirectChannelAction: { status: 400, code: 50003, message: 'Cannot execute action on a DM channel' },
  notTheAuthor: { status: 403, code: 50005, message: 'Cannot edit a message authored by another user' },
  emptyMessage: { status: 400, code: 50006, message: 'Cannot send an empty message' },
  cannotMessageUser: { status: 403, code: 50007, message: 'Cannot send messages to this user' },
  missingPermissions: { status: 403, code: 50013, message: 'Missing Permissions' },
  wrongBulkCount: {
    status: 400,
    code: 50016,
    message: 'Provided too few or too many messages to delete. Must provide at least 2 and fewer than 100 messages to delete.',
  },
  wrongChannelType: { status: 400, code: 50024, message: 'Cannot execute action on this channel type' },
  invalidWebhookToken: { status: 401, code: 50027, message: 'Invalid Webhook Token' },
  invalidRecipient: { status: 400, code: 50033, message: 'Invalid Recipient(s)' },
  tooOldToBulkDelete: { status: 400, code: 50034, message: 'A message provided was too old to bulk delete' },
  invalidForm: { status: 400, code: 50035, message: 'Invalid Form Body' },
  fileTooLarge: { status: 400, code: 50045, message: 'File uploaded exceeds the maximum size' },
  archivedThread: { status: 400, code: 50083, message: 'Thread is archived' },
  invalidJson: { status: 400, code: 50109, message: 'The request body contains invalid JSON.' },
  noMutualGuild: {
    status: 403,
    code: 50278,
    message: 'Cannot send messages to this user due to having no mutual guilds',
  },
  replyNeedsHistory: { status: 403, code: 160002, message: 'Cannot reply without permission to read message history' },
  threadExists: { status: 400, code: 160004, message: 'A thread has already been created for this message' },
  lockedThread: { status: 400, code: 160005, message: 'Thread is locked' },
} as const

export type RefusalName = keyof typeof REFUSALS

/** Thrown to make the emulated API answer with one of Discord's documented errors. */
export class ApiRefusal extends Error {
  readonly status: number
  readonly code: number
  readonly errors: JsonObject | undefined

  constructor(name: RefusalName, errors?: JsonObject) {
    const { status, code, message } = REFUSALS[name]
    super(message)
    this.status = status
    this.code = code
    this.errors = errors
  }

  body(): JsonObject {
    return { message: this.message, code: this.code, ...(this.errors === undefined ? {} : { errors: this.errors }) }
  }
}
