/** A query, and the input columns of its results. A person determined the columns by reading the SQL. */
export interface ColumnLineageCase {
  readonly name: string
  readonly sql: string
  /** For each result column, its input columns and how each is used, joined by commas: `orders.id IDENTITY, rates.rate JOIN`. */
  readonly columns: Readonly<Record<string, string>>
  /** The input columns that decide which rows exist, in the same form. */
  readonly rows?: string
  /** True if the query contains a database name or reads computed columns. The test then cannot run it in another database. */
  readonly isBound?: boolean
}

export const COLUMN_LINEAGE_CASES: readonly ColumnLineageCase[] = [
  {
    name: 'columns, copied and renamed',
    sql: 'SELECT id, amount AS total FROM orders',
    columns: { id: 'orders.id IDENTITY', total: 'orders.amount IDENTITY' },
  },
  {
    name: 'an expression, an alias of it, a constant',
    sql: "SELECT amount * 2 + id AS x, x + 1 AS y, 'eur' AS unit FROM orders",
    columns: {
      x: 'orders.amount TRANSFORMATION, orders.id TRANSFORMATION',
      y: 'orders.amount TRANSFORMATION, orders.id TRANSFORMATION',
      unit: '',
    },
  },
  {
    name: 'an alias that hides a column',
    sql: 'SELECT country AS id, amount FROM customers AS c JOIN (SELECT customer, amount FROM orders) AS o ON o.customer = c.id',
    columns: { id: 'customers.country IDENTITY', amount: 'orders.amount IDENTITY' },
    rows: 'orders.customer JOIN, customers.id JOIN',
  },
  {
    name: 'a filter',
    sql: "SELECT id FROM orders WHERE country = 'de' AND amount > 3",
    columns: { id: 'orders.id IDENTITY' },
    rows: 'orders.country FILTER, orders.amount FILTER',
  },
  {
    name: 'an aggregate with HAVING',
    sql: 'SELECT country, sum(amount) AS total, count() AS n FROM orders GROUP BY country HAVING max(day) > toDate(20456)',
    columns: { country: 'orders.country IDENTITY', total: 'orders.amount AGGREGATION', n: '' },
    rows: 'orders.country GROUP_BY, orders.day FILTER',
  },
  {
    name: 'an aggregate of an expression, and an expression of aggregates',
    sql: 'SELECT sum(amount * id) / uniq(customer) AS x FROM orders',
    columns: { x: 'orders.amount AGGREGATION, orders.id AGGREGATION, orders.customer AGGREGATION' },
  },
  {
    name: 'aggregates with a condition',
    sql: "SELECT sumIf(amount, country = 'de') AS de, countIf(day > toDate('2026-01-02')) AS n, avg(amount) FILTER (WHERE id > 1) AS a FROM orders",
    columns: {
      de: 'orders.amount AGGREGATION, orders.country CONDITIONAL',
      n: 'orders.day CONDITIONAL',
      a: 'orders.amount AGGREGATION, orders.id CONDITIONAL',
    },
  },
  {
    name: 'the value at another one’s maximum, and parameters',
    sql: 'SELECT argMax(amount, day) AS latest, quantileExact(0.9)(id) AS q FROM orders',
    columns: { latest: 'orders.amount AGGREGATION, orders.day AGGREGATION', q: 'orders.id AGGREGATION' },
  },
  {
    name: 'if, CASE, multiIf',
    sql: "SELECT if(amount > 3, country, 'x') AS a, CASE country WHEN 'de' THEN amount ELSE id END AS b, CASE WHEN id > 2 THEN customer END AS c, multiIf(id > 3, 1, amount > 2, customer, 0) AS d FROM orders",
    columns: {
      a: 'orders.amount CONDITIONAL, orders.country TRANSFORMATION',
      b: 'orders.country CONDITIONAL, orders.amount TRANSFORMATION, orders.id TRANSFORMATION',
      c: 'orders.id CONDITIONAL, orders.customer TRANSFORMATION',
      d: 'orders.id CONDITIONAL, orders.amount CONDITIONAL, orders.customer TRANSFORMATION',
    },
  },
  {
    name: 'an inner join',
    sql: 'SELECT o.id, c.name FROM orders AS o JOIN customers AS c ON o.customer = c.id AND c.score > 2',
    columns: { id: 'orders.id IDENTITY', name: 'customers.name IDENTITY' },
    rows: 'orders.customer JOIN, customers.id JOIN, customers.score JOIN',
  },
  {
    name: 'LEFT JOIN USING takes the left column',
    sql: 'SELECT country, amount, rate FROM orders LEFT JOIN rates USING (country, day)',
    columns: { country: 'orders.country IDENTITY', amount: 'orders.amount IDENTITY', rate: 'rates.rate IDENTITY' },
    rows: 'orders.country JOIN, rates.country JOIN, orders.day JOIN, rates.day JOIN',
  },
  {
    name: 'RIGHT JOIN USING takes the right column',
    sql: 'SELECT country, amount FROM orders RIGHT JOIN rates USING (country)',
    columns: { country: 'rates.country IDENTITY', amount: 'orders.amount IDENTITY' },
    rows: 'orders.country JOIN, rates.country JOIN',
  },
  {
    name: 'FULL JOIN USING takes either',
    sql: 'SELECT country, amount, rate FROM orders FULL JOIN rates USING (country)',
    columns: {
      country: 'orders.country TRANSFORMATION, rates.country TRANSFORMATION',
      amount: 'orders.amount IDENTITY',
      rate: 'rates.rate IDENTITY',
    },
    rows: 'orders.country JOIN, rates.country JOIN',
  },
  {
    name: 'a table joined with itself',
    sql: 'SELECT a.id AS id, b.amount AS other FROM orders AS a JOIN orders AS b ON a.customer = b.id WHERE b.day > toDate(20455)',
    columns: { id: 'orders.id IDENTITY', other: 'orders.amount IDENTITY' },
    rows: 'orders.customer JOIN, orders.id JOIN, orders.day FILTER',
  },
  {
    name: 'tables behind commas',
    sql: 'SELECT o.id AS id, c.name, r.rate FROM orders AS o, customers AS c, rates AS r WHERE o.customer = c.id',
    columns: { id: 'orders.id IDENTITY', name: 'customers.name IDENTITY', rate: 'rates.rate IDENTITY' },
    rows: 'orders.customer FILTER, customers.id FILTER',
  },
  {
    name: 'ASOF',
    sql: 'SELECT o.id, r.rate FROM orders AS o ASOF LEFT JOIN rates AS r ON o.country = r.country AND o.day >= r.day',
    columns: { id: 'orders.id IDENTITY', rate: 'rates.rate IDENTITY' },
    rows: 'orders.country JOIN, rates.country JOIN, orders.day JOIN, rates.day JOIN',
  },
  {
    name: 'SEMI and ANTI',
    sql: 'SELECT id FROM (SELECT o.id AS id, o.country AS country FROM orders AS o LEFT SEMI JOIN customers AS c ON o.customer = c.id) AS s LEFT ANTI JOIN rates AS r ON s.country = r.country',
    columns: { id: 'orders.id IDENTITY' },
    rows: 'orders.customer JOIN, customers.id JOIN, orders.country JOIN, rates.country JOIN',
  },
  {
    name: 'PASTE goes by the place',
    sql: 'SELECT a.id, b.name FROM (SELECT id FROM orders ORDER BY day, id) AS a PASTE JOIN (SELECT name FROM customers ORDER BY score, name) AS b',
    columns: { id: 'orders.id IDENTITY', name: 'customers.name IDENTITY' },
    rows: 'orders.day SORT, orders.id SORT, customers.score SORT, customers.name SORT',
  },
  {
    name: 'everything of two tables',
    sql: 'SELECT c.*, r.rate FROM customers AS c JOIN rates AS r ON r.country = c.country',
    columns: {
      id: 'customers.id IDENTITY',
      name: 'customers.name IDENTITY',
      country: 'customers.country IDENTITY',
      score: 'customers.score IDENTITY',
      rate: 'rates.rate IDENTITY',
    },
    rows: 'rates.country JOIN, customers.country JOIN',
  },
  {
    name: 'everything but, with a replacement and a function over all',
    sql: 'SELECT * EXCEPT (name) REPLACE (score * 2 AS score) FROM customers',
    columns: { id: 'customers.id IDENTITY', country: 'customers.country IDENTITY', score: 'customers.score TRANSFORMATION' },
  },
  {
    name: 'a function over columns by a pattern',
    sql: "SELECT COLUMNS('^(id|score)$') APPLY(toString) FROM customers",
    columns: { 'toString(id)': 'customers.id TRANSFORMATION', 'toString(score)': 'customers.score TRANSFORMATION' },
  },
  {
    name: 'CTEs upon CTEs, one used twice',
    sql: 'WITH big AS (SELECT id, customer, amount AS a FROM orders WHERE amount > 2), sums AS (SELECT customer, sum(a) AS total FROM big GROUP BY customer) SELECT b.id, s.total FROM big AS b JOIN sums AS s ON s.customer = b.customer',
    columns: { id: 'orders.id IDENTITY', total: 'orders.amount AGGREGATION' },
    rows: 'orders.amount FILTER, orders.customer JOIN+GROUP_BY',
  },
  {
    name: 'a CTE that has the name of a table',
    sql: 'WITH customers AS (SELECT id AS name FROM orders) SELECT name FROM customers',
    columns: { name: 'orders.id IDENTITY' },
  },
  {
    name: 'an expression under WITH',
    sql: 'WITH amount / 100 AS euros, 5 AS least SELECT id, euros FROM orders WHERE euros > least',
    columns: { id: 'orders.id IDENTITY', euros: 'orders.amount TRANSFORMATION' },
    rows: 'orders.amount FILTER',
  },
  {
    name: 'a subquery of a subquery, with what is not used left out',
    sql: 'SELECT x + 1 AS y FROM (SELECT x, z FROM (SELECT amount AS x, country AS z, day FROM orders WHERE id > 1))',
    columns: { y: 'orders.amount TRANSFORMATION' },
    rows: 'orders.id FILTER',
  },
  {
    name: 'a recursive CTE, whose columns change places',
    sql: 'WITH RECURSIVE r AS (SELECT id AS a, customer AS b, 0 AS n FROM orders UNION ALL SELECT b, a, n + 1 FROM r WHERE n < 2) SELECT a, n FROM r',
    columns: { a: 'orders.id IDENTITY, orders.customer IDENTITY', n: '' },
  },
  {
    name: 'UNION ALL goes by the place',
    sql: 'SELECT id, country FROM orders UNION ALL SELECT id AS key, name FROM customers WHERE score > 1',
    columns: { id: 'orders.id IDENTITY, customers.id IDENTITY', country: 'orders.country IDENTITY, customers.name IDENTITY' },
    rows: 'customers.score FILTER',
  },
  {
    name: 'UNION DISTINCT compares rows',
    sql: 'SELECT country FROM (SELECT country, id FROM orders UNION DISTINCT SELECT country, id FROM customers)',
    columns: { country: 'orders.country IDENTITY, customers.country IDENTITY' },
    rows: 'orders.country GROUP_BY, orders.id GROUP_BY, customers.country GROUP_BY, customers.id GROUP_BY',
  },
  {
    name: 'EXCEPT and INTERSECT keep rows of the first',
    sql: 'SELECT country FROM orders EXCEPT SELECT country FROM rates',
    columns: { country: 'orders.country IDENTITY' },
    rows: 'orders.country FILTER, rates.country FILTER',
  },
  {
    name: 'DISTINCT',
    sql: 'SELECT DISTINCT country, amount > 3 AS large FROM orders',
    columns: { country: 'orders.country IDENTITY', large: 'orders.amount TRANSFORMATION' },
    rows: 'orders.country GROUP_BY, orders.amount GROUP_BY',
  },
  {
    name: 'an order alone decides nothing',
    sql: 'SELECT id FROM orders ORDER BY day',
    columns: { id: 'orders.id IDENTITY' },
  },
  {
    name: 'an order with a LIMIT',
    sql: 'SELECT id FROM orders ORDER BY amount DESC, id, country, day, customer LIMIT 3',
    columns: { id: 'orders.id IDENTITY' },
    rows: 'orders.amount SORT, orders.id SORT, orders.country SORT, orders.day SORT, orders.customer SORT',
  },
  {
    name: 'LIMIT BY',
    sql: 'SELECT id, country FROM orders ORDER BY day, id LIMIT 1 BY country',
    columns: { id: 'orders.id IDENTITY', country: 'orders.country IDENTITY' },
    rows: 'orders.day SORT, orders.id SORT, orders.country GROUP_BY',
  },
  {
    name: 'an order before rows are gathered',
    sql: 'SELECT customer, groupArray(amount) AS amounts FROM (SELECT customer, amount FROM orders ORDER BY day, id) GROUP BY customer',
    columns: { customer: 'orders.customer IDENTITY', amounts: 'orders.amount AGGREGATION' },
    rows: 'orders.day SORT, orders.id SORT, orders.customer GROUP_BY',
  },
  {
    name: 'windows',
    sql: 'SELECT id, sum(amount) OVER (PARTITION BY customer) AS total, row_number() OVER (PARTITION BY country ORDER BY day, id) AS place FROM orders',
    columns: {
      id: 'orders.id IDENTITY',
      total: 'orders.amount AGGREGATION, orders.customer WINDOW',
      place: 'orders.country WINDOW, orders.day WINDOW, orders.id WINDOW',
    },
  },
  {
    name: 'a named window with a frame, and QUALIFY',
    sql: 'SELECT id, lagInFrame(amount) OVER w AS earlier FROM orders WINDOW w AS (PARTITION BY customer ORDER BY day, id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) QUALIFY count() OVER (PARTITION BY country) > 1',
    columns: {
      id: 'orders.id IDENTITY',
      earlier: 'orders.amount AGGREGATION, orders.customer WINDOW, orders.day WINDOW, orders.id WINDOW',
    },
    rows: 'orders.country FILTER',
  },
  {
    name: 'the first row of each group by a window in a subquery',
    sql: 'SELECT id, amount FROM (SELECT *, row_number() OVER (PARTITION BY customer ORDER BY day DESC, id) AS n FROM orders) WHERE n = 1',
    columns: { id: 'orders.id IDENTITY', amount: 'orders.amount IDENTITY' },
    rows: 'orders.customer FILTER, orders.day FILTER, orders.id FILTER',
  },
  {
    name: 'lambdas',
    sql: "SELECT arrayMap(x -> concat(x, country), tags) AS a, arrayFilter(x -> x != 'a', tags) AS b, arrayMap((x, y) -> y, tags, `items.qty`) AS c FROM orders",
    columns: {
      a: 'orders.country TRANSFORMATION, orders.tags TRANSFORMATION',
      b: 'orders.tags TRANSFORMATION',
      c: 'orders.tags TRANSFORMATION, orders.items.qty TRANSFORMATION',
    },
  },
  {
    name: 'a lambda under WITH',
    sql: 'WITH x -> x * 2 AS twice SELECT twice(amount) AS a FROM orders',
    columns: { a: 'orders.amount TRANSFORMATION' },
  },
  {
    name: 'parts of maps, tuples and arrays',
    sql: "SELECT attrs['a'] AS a, attrs.keys AS k, place.city AS c, tupleElement(place, 2) AS z, tags[1] AS t, tags.size0 AS n, note.null AS missing FROM orders",
    columns: {
      a: 'orders.attrs TRANSFORMATION',
      k: 'orders.attrs TRANSFORMATION',
      c: 'orders.place TRANSFORMATION',
      z: 'orders.place TRANSFORMATION',
      t: 'orders.tags TRANSFORMATION',
      n: 'orders.tags TRANSFORMATION',
      missing: 'orders.note TRANSFORMATION',
    },
  },
  {
    name: 'an element of a tuple that the query made itself',
    sql: 'SELECT pair.2 AS a, pair AS p FROM (SELECT (id, amount) AS pair FROM orders)',
    columns: { a: 'orders.amount TRANSFORMATION', p: 'orders.id TRANSFORMATION, orders.amount TRANSFORMATION' },
  },
  {
    name: 'ARRAY JOIN',
    sql: 'SELECT id, tag, n FROM orders ARRAY JOIN tags AS tag, arrayEnumerate(tags) AS n WHERE n > 1',
    columns: { id: 'orders.id IDENTITY', tag: 'orders.tags TRANSFORMATION', n: 'orders.tags TRANSFORMATION' },
    rows: 'orders.tags FILTER',
  },
  {
    name: 'LEFT ARRAY JOIN of a Nested',
    sql: 'SELECT id, items.sku AS sku, items.qty AS qty FROM orders LEFT ARRAY JOIN items',
    columns: { id: 'orders.id IDENTITY', sku: 'orders.items.sku TRANSFORMATION', qty: 'orders.items.qty TRANSFORMATION' },
    rows: 'orders.items.sku FILTER, orders.items.qty FILTER',
  },
  {
    name: 'the function arrayJoin',
    sql: 'SELECT id, arrayJoin(tags) AS tag FROM orders',
    columns: { id: 'orders.id IDENTITY', tag: 'orders.tags TRANSFORMATION' },
    rows: 'orders.tags FILTER',
  },
  {
    name: 'IN, with a subquery',
    sql: 'SELECT id FROM orders WHERE (customer, country) IN (SELECT id, country FROM customers WHERE score > 2)',
    columns: { id: 'orders.id IDENTITY' },
    rows: 'orders.customer FILTER, orders.country FILTER, customers.id FILTER, customers.country FILTER, customers.score FILTER',
  },
  {
    name: 'IN as a value',
    sql: 'SELECT id, customer IN (SELECT id FROM customers WHERE score > 2) AS known FROM orders',
    columns: {
      id: 'orders.id IDENTITY',
      known: 'orders.customer TRANSFORMATION, customers.id TRANSFORMATION, customers.score FILTER',
    },
  },
  {
    name: 'scalar subqueries',
    sql: "SELECT id, amount / (SELECT max(rate) FROM rates WHERE country = 'de') AS share FROM orders WHERE amount >= (SELECT avg(score) FROM customers)",
    columns: { id: 'orders.id IDENTITY', share: 'orders.amount TRANSFORMATION, rates.rate AGGREGATION, rates.country FILTER' },
    rows: 'orders.amount FILTER, customers.score FILTER',
  },
  {
    name: 'a scalar subquery that is an array, or decides',
    sql: 'SELECT (SELECT groupArray(name) FROM (SELECT name FROM customers ORDER BY score, name)) AS names, if((SELECT min(rate) FROM rates) > 3, id, customer) AS x FROM orders',
    columns: {
      names: 'customers.name AGGREGATION+SORT, customers.score SORT',
      x: 'rates.rate CONDITIONAL, orders.id TRANSFORMATION, orders.customer TRANSFORMATION',
    },
  },
  {
    name: 'a correlated subquery as a value',
    sql: 'SELECT o.id, (SELECT max(c.score) FROM customers AS c WHERE c.id = o.customer) AS best FROM orders AS o',
    columns: {
      id: 'orders.id IDENTITY',
      best: 'customers.score AGGREGATION, customers.id FILTER, orders.customer FILTER',
    },
  },
  {
    name: 'EXISTS',
    sql: 'SELECT o.id FROM orders AS o WHERE EXISTS (SELECT 1 FROM rates AS r WHERE r.country = o.country)',
    columns: { id: 'orders.id IDENTITY' },
    rows: 'rates.country FILTER, orders.country FILTER',
  },
  {
    name: 'ROLLUP and grouping()',
    sql: 'SELECT country, grouping(country) AS g, sum(amount) AS s FROM orders GROUP BY ROLLUP (country)',
    columns: { country: 'orders.country IDENTITY', g: 'orders.country TRANSFORMATION', s: 'orders.amount AGGREGATION' },
    rows: 'orders.country GROUP_BY',
  },
  {
    name: 'gaps that are filled',
    sql: 'SELECT day, sum(amount) AS s FROM orders GROUP BY day ORDER BY day WITH FILL STEP 1 INTERPOLATE (s AS s + 1)',
    columns: { day: 'orders.day IDENTITY', s: 'orders.amount AGGREGATION' },
    rows: 'orders.day GROUP_BY+SORT, orders.amount SORT',
  },
  {
    name: 'a table function',
    sql: 'SELECT n.number AS n, o.id FROM numbers(3) AS n JOIN orders AS o ON o.id = n.number',
    columns: { n: '_table_function.numbers.number IDENTITY', id: 'orders.id IDENTITY' },
    rows: '_table_function.numbers.number JOIN, orders.id JOIN',
  },
  {
    name: 'an ALIAS column stands for its expression',
    sql: 'SELECT gross FROM default.orders',
    columns: { gross: 'orders.amount TRANSFORMATION' },
    isBound: true,
  },
  {
    name: 'a view is a table',
    sql: 'SELECT spent FROM default.spendings WHERE customer > 1',
    columns: { spent: 'spendings.spent IDENTITY' },
    rows: 'spendings.customer FILTER',
    isBound: true,
  },
  {
    name: 'a dictionary',
    sql: "SELECT id, dictGet('names', 'name', toUInt64(customer)) AS name FROM orders",
    columns: { id: 'orders.id IDENTITY', name: 'names.name TRANSFORMATION, orders.customer TRANSFORMATION' },
    isBound: true,
  },
  {
    name: 'names that are none elsewhere',
    sql: 'SELECT id AS `a, b`, amount AS `it\'s "so"`, country AS `c``d e` FROM orders',
    columns: { 'a, b': 'orders.id IDENTITY', 'it\'s "so"': 'orders.amount IDENTITY', 'c`d e': 'orders.country IDENTITY' },
  },
]
