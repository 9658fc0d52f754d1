type Peer = 'barriers' | 'langgraph' | 'ai-sdk' | 'openai-agents'

/** Each peer by its folder, with its main library and that library's version as installed. */
export const versions: Readonly<Record<Peer, { readonly name: string; readonly version: string }>>
