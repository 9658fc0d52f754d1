/** Table functions that make their rows by themselves. In lower case; `VALUES (…)` is printed as SQLStandardValues. */
export const MAKES_ROWS: ReadonlySet<string> = new Set([
  ...['numbers', 'numbers_mt', 'zeros', 'zeros_mt', 'primes', 'generateseries', 'generate_series', 'generaterandom', 'null'],
  ...['values', 'sqlstandardvalues', 'format', 'view'],
])
/** Table functions that read rows from outside of the warehouse. Any other may read its tables, and lineage does not tell which. */
export const READS_ELSEWHERE: ReadonlySet<string> = new Set([
  ...['url', 'urlcluster', 's3', 's3cluster', 'gcs', 'azureblobstorage', 'hdfs', 'file'],
  ...['mysql', 'postgresql', 'mongodb', 'sqlite', 'iceberg', 'deltalake', 'hudi'],
])
