import type { Queryable } from './open.ts';

/**
 * Builds a query once for each database, because drizzle takes longer to build the SQL of a
 * frequent read than PostgreSQL takes to run it. Values are passed by `sql.placeholder(name)`.
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
