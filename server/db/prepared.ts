import { FIXED_STATEMENTS } from './fixed-statements.ts';
import type { Queryable } from './open.ts';

interface Statement {
  getQuery(): { sql: string };
}

/**
 * Builds a query, or several by name, once for each database, because drizzle takes longer to build
 * the SQL of a frequent read than PostgreSQL takes to run it. Values are passed by
 * `sql.placeholder(name)`.
 */
export function prepared<Query extends Statement | Record<string, Statement>>(
  build: (db: Queryable) => Query,
): (db: Queryable) => Query {
  const built = new WeakMap<object, Query>();
  return (db) => {
    let query = built.get(db);
    if (query === undefined) {
      query = build(db);
      built.set(db, query);
      const statements = isStatement(query) ? [query] : Object.values(query);
      for (const statement of statements) FIXED_STATEMENTS.add(statement.getQuery().sql);
    }
    return query;
  };
}

function isStatement(query: Statement | Record<string, Statement>): query is Statement {
  return typeof query.getQuery === 'function';
}
