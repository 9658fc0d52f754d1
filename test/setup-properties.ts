import fc from 'fast-check'

/**
 * Property tests use the same cases on every run, so that a failure comes from a change. `PROPERTY_SEED=random` draws others; a failure's message
 * contains its seed.
 */
const SEED = 20_261_120
const wanted = process.env.PROPERTY_SEED ?? String(SEED)

if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) })
