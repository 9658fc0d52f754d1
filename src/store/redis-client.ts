import type { Cluster, Redis } from 'ioredis'

/** A connection to Redis, as the rest of Clew passes it around: only this folder knows the driver. */
export type RedisClient = Redis | Cluster
