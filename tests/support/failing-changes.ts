import { sql } from 'drizzle-orm';
import type { Database } from '../../server/db/open.ts';

/** Makes every change to this person's row fail, until what is returned is called. */
export async function failChangesOf(db: Database, userId: string): Promise<() => Promise<void>> {
  await db.execute(
    sql.raw(`
      create function no_change() returns trigger language plpgsql as $$ begin
        if old.id = '${userId}' then raise exception 'no change'; end if;
        return case tg_op when 'DELETE' then old else new end;
      end $$;
      create trigger no_change before update or delete on users
        for each row execute function no_change()`),
  );
  return async () => void (await db.execute(sql`drop function no_change cascade`));
}
