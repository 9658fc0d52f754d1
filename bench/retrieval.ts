import { indexedCatalog, measureRetrieval } from '../test/retrieval/measure-retrieval.ts'

// The narrowing of a catalog of 10,000 tables: `node bench/run-ts.mjs bench/retrieval.ts`.
console.log(JSON.stringify(await measureRetrieval(indexedCatalog(10_000), { rounds: 5 }), undefined, 2))
