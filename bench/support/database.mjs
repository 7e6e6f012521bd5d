import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';

/** The embedded database of a running server, reached as the server reaches it. */
export function openDatabase(dataDir) {
  // Line 4 is the port, line 5 the folder of the socket.
  const lines = readFileSync(join(dataDir, 'database/cluster/postmaster.pid'), 'utf8').split('\n');
  const socketPath = join(lines[4], `.s.PGSQL.${lines[3]}`);
  const sql = postgres({
    host: 'localhost',
    path: socketPath,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    max: 1,
    idle_timeout: 1,
  });
  return { socketPath, sql, ...seeding(sql) };
}

/** What calls cannot do, in the database of this connection. */
export function seeding(sql) {
  return {
    /** Opens a capsule in the database, because no call can open one before its day. */
    async unlock(id) {
      const past = '2020-01-01';
      await sql`update capsules set date_to_unlock = ${past}, unlock_at = ${past}, opened_notice_at = ${past} where id = ${id}`;
      await sql`update capsule_recipients set unlock_at = ${past}, date_to_unlock = ${past} where capsule_id = ${id}`;
    },
    /** As if the person had pressed the link that confirms their address. */
    confirm: (email) => sql`update users set email_verified_at = now() where email = ${email}`,
    /**
     * Adds capsules from this person to themself. Every other one is open, the highest number is
     * the newest.
     */
    async addCapsules(userId, howMany) {
      await sql`
        insert into capsules (id, creator_id, title, description, personal_message, date_to_unlock,
          time_zone, unlock_at, notify_recipient, media_count, total_bytes, created_at, opened_notice_at)
        select gen_random_uuid(), ${userId}, 'Letter ' || n, 'What I thought of on day ' || n,
          repeat('Dear me, ', 40), day, 'UTC', day::timestamp at time zone 'UTC', false, 0, 0,
          now() - (${howMany} - n) * interval '1 minute', case when n % 2 = 0 then now() end
        from (select n, (case when n % 2 = 0 then date '2020-01-01' else date '2090-01-01' end) as day
          from generate_series(1, ${howMany}::int) n) numbers`;
      await sql`
        insert into capsule_recipients
          (capsule_id, user_id, position, created_at, unlock_at, date_to_unlock, is_creator)
        select id, creator_id, 0, created_at, unlock_at, date_to_unlock, true from capsules where creator_id = ${userId}
        on conflict do nothing`;
    },
    /**
     * Adds people with common names, and capsules among them: one recipient each, sealed over five
     * years, half of them open.
     */
    async addCrowd({ people, capsules }) {
      const oneOf = (number) => oneOfCrowd(sql, number, people);
      await sql`
        insert into users (id, email, name, password_hash, created_at)
        select gen_random_uuid(), 'crowd-' || n || '@bench.example',
          (array['Maria','John','Aisha','Wei','Olga','Peter','Chloe','Ivan','Sofia','Hugo'])[1 + n % 10]
            || ' ' || (array['Smith','Marino','Khan','Chen','Petrova','Jones','Martin','Novak'])[1 + n / 10 % 8]
            || ' ' || n,
          'none', now() - interval '5 years'
        from generate_series(1, ${people}::int) n`;
      await insertCapsules(sql, {
        howMany: capsules,
        from: oneOf(sql`n`),
        to: oneOf(sql`n * 7 + 3`),
      });
    },
    /** As many capsules from this person to others of the crowd as from others to them. */
    async addExchange(email, howMany, { people }) {
      const own = sql`(select id from users where email = ${email})`;
      const other = oneOfCrowd(sql, sql`n`, people);
      await insertCapsules(sql, { howMany, from: own, to: other });
      await insertCapsules(sql, { howMany, from: other, to: own });
    },
    /** Statistics and visibility, as autovacuum leaves them after a while. */
    settle: () => sql`vacuum analyze`,
    close: () => sql.end(),
  };
}

function oneOfCrowd(sql, number, people) {
  return sql`(select id from users
    where email = 'crowd-' || (1 + (${number}) % ${people}::int) || '@bench.example')`;
}

/** `from` and `to` are expressions of the number `n`, and never the same person. */
async function insertCapsules(sql, { howMany, from, to }) {
  await sql`
    with numbers as (
      select n, gen_random_uuid() as id,
        now() - interval '1 day' - n * (interval '5 years' / ${howMany}::int) as sealed_at,
        (now() at time zone 'UTC')::date + (n * 37 % 3600 - 1800) as day
      from generate_series(1, ${howMany}::int) n
    ), sealed as (
      insert into capsules (id, creator_id, title, description, personal_message, date_to_unlock,
        time_zone, unlock_at, notify_recipient, media_count, total_bytes, created_at,
        opened_notice_at)
      select id, ${from}, 'Letter ' || n, 'What I thought of on day ' || n,
        repeat('Dear friend, ', 40), day, 'UTC', day::timestamp at time zone 'UTC', false, 0, 0,
        sealed_at, case when day <= current_date then now() end
      from numbers
    )
    insert into capsule_recipients
      (capsule_id, user_id, position, created_at, unlock_at, date_to_unlock, is_creator)
    select id, ${to}, 0, sealed_at, day::timestamp at time zone 'UTC', day, false from numbers`;
}
