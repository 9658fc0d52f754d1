import type { Cluster, Redis } from 'ioredis'
import type { StateKey } from '../signed-text.ts'

/** A connection to Redis. No other folder imports the driver. */
export type RedisConnection = Redis | Cluster

/** A connection to Redis, with the key for signing the values that Redis stores. */
export type RedisClient = RedisConnection & { readonly stateKey: StateKey }
