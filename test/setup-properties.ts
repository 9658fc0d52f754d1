import fc from 'fast-check'

/** Property tests use the same cases on every run, so that only a change makes one fail. `PROPERTY_SEED=random` draws others. */
const SEED = 20_261_120
const wanted = process.env.PROPERTY_SEED ?? String(SEED)

if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) })
