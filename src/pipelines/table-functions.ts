/** Table functions that generate rows, such as `numbers`, in lower case. The engine prints `VALUES (…)` as SQLStandardValues. */
export const MAKES_ROWS: ReadonlySet<string> = new Set([
  ...['numbers', 'numbers_mt', 'zeros', 'zeros_mt', 'primes', 'generateseries', 'generate_series', 'generaterandom', 'null'],
  ...['values', 'sqlstandardvalues', 'format', 'view'],
])
/**
 * Table functions that read only from outside the warehouse. A table function in neither of these two lists may read tables of
 * the warehouse, and lineage cannot tell which.
 */
export const READS_ELSEWHERE: ReadonlySet<string> = new Set([
  ...['url', 'urlcluster', 's3', 's3cluster', 'gcs', 'azureblobstorage', 'hdfs', 'file'],
  ...['mysql', 'postgresql', 'mongodb', 'sqlite', 'iceberg', 'deltalake', 'hudi'],
])
