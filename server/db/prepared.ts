import type { Queryable } from './open.ts';

/**
 * A query that is built once for each database: drizzle takes longer to write the SQL of a hot
 * read anew than PostgreSQL takes to run it. Values go in by `sql.placeholder(name)`.
 */
export function prepared<Query>(build: (db: Queryable) => Query): (db: Queryable) => Query {
  const built = new WeakMap<object, Query>();
  return (db) => {
    let query = built.get(db);
    if (query === undefined) {
      query = build(db);
      built.set(db, query);
    }
    return query;
  };
}
