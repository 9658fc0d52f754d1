// Tests get this in place of `fast-check`: jest.config.mjs maps the name. Suites that do not import it do not load it.
import fc from './node_modules/fast-check/lib/fast-check.js'

/** Property tests use the same cases on every run, so that only a change makes one fail. `PROPERTY_SEED=random` draws others. */
const SEED = 20_261_120
const wanted = process.env.PROPERTY_SEED ?? String(SEED)

if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) })

export default fc
