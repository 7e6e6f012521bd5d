import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type * as schema from './schema.ts';

export type Database = PostgresJsDatabase<typeof schema>;
/** A transaction, or the database itself: what a query function takes. */
export type Queryable = Database | Parameters<Parameters<Database['transaction']>[0]>[0];
