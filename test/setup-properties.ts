import fc from 'fast-check'

/**
 * Property tests draw the same cases on every run, so that a failure is a change's and not the day's. `PROPERTY_SEED=random` draws others, to look for
 * what nobody thought of; the seed of a failure is in its message.
 */
const SEED = 20_261_120
const wanted = process.env.PROPERTY_SEED ?? String(SEED)

if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) })
