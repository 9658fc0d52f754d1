import type { Route } from '../api-route.ts'

const WEBHOOK = '/webhooks/{application}/{token}'

/** The routes for answering interactions. Their paths contain the token of the interaction. */
export const interactionRoutes = {
  'POST /interactions/{interaction}/{token}/callback': {
    auth: 'none',
    handle(request, { interactions }) {
      const { form, files, query } = request
      const answer = interactions.respond(request.param('interaction'), request.param('token'), form, files)
      const isWanted = ['true', 'True', '1'].includes(query.get('with_response') ?? '')
      return isWanted ? { status: 200, body: answer } : { status: 204 }
    },
  },
  [`POST ${WEBHOOK}`]: {
    auth: 'none',
    bucket: 'webhook',
    handle(request, { interactions }) {
      const interaction = interactions.open(request.param('application'), request.param('token'))
      const message = interactions.followUp(interaction, request.form, request.files)
      return { status: 200, body: interactions.payloadOf(message) }
    },
  },
  [`GET ${WEBHOOK}/messages/{message}`]: {
    auth: 'none',
    bucket: 'webhook',
    handle(request, { interactions }) {
      const interaction = interactions.open(request.param('application'), request.param('token'))
      return { status: 200, body: interactions.payloadOf(interactions.message(interaction, request.param('message'))) }
    },
  },
  [`PATCH ${WEBHOOK}/messages/{message}`]: {
    auth: 'none',
    bucket: 'webhook',
    handle(request, { interactions }) {
      const interaction = interactions.open(request.param('application'), request.param('token'))
      const message = interactions.edit(interaction, request.param('message'), request.form, request.files)
      return { status: 200, body: interactions.payloadOf(message) }
    },
  },
  [`DELETE ${WEBHOOK}/messages/{message}`]: {
    auth: 'none',
    bucket: 'webhook',
    handle(request, { interactions, world }) {
      const interaction = interactions.open(request.param('application'), request.param('token'))
      world.delete(interactions.message(interaction, request.param('message')))
      return { status: 204 }
    },
  },
} as const satisfies Record<string, Route>
