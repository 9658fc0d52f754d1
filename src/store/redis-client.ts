import type { Cluster, Redis } from 'ioredis'
import type { StateKey } from './signed-text.ts'

/** A connection to Redis. Only this folder knows the driver. */
export type RedisConnection = Redis | Cluster

/** A connection as the rest of Clew passes it around, with the key that signs what is kept there. */
export type RedisClient = RedisConnection & { readonly stateKey: StateKey }
