import type { Cluster, Redis } from 'ioredis'
import type { StateKey } from '../signed-text.ts'

/** A connection to Redis. Only this folder imports the driver. */
export type RedisConnection = Redis | Cluster

/** A connection to Redis, together with the key that signs the values in Redis. */
export type RedisClient = RedisConnection & { readonly stateKey: StateKey }
