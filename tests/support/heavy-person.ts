import type { TestDatabase } from './database.ts';
import { sampleId } from './sample-capsule.ts';

/**
 * 100,000 capsules: a fifth sealed by this person, a fifth sent to them by others,
 * of which they have put a tenth away. The person is one
 * of 200 whose ids are `sampleId(1)` and so on; 30,000 others only have accounts. There are 20,000
 * queued emails, sessions and keys. 5,000 of the emails are not due yet. 2,000 people had another
 * address, and 2,000 emails are for addresses alone.
 */
export async function seedHeavyPerson(database: TestDatabase, heavyId: string): Promise<void> {
  const sql = await database.sql.reserve();
  // The seed takes longer than a call may, and vacuum marks only rows that are flushed.
  await sql`set statement_timeout = 0`;
  await sql`set synchronous_commit = on`;
  await sql`insert into users (id, email, name, password_hash, created_at)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
        'person-' || n || '@example.org', 'Person ' || n, 'none', '2026-01-01'
      from generate_series(1, 200) n`;
  await sql`insert into users (id, email, name, password_hash, created_at)
      select gen_random_uuid(), 'neighbour-' || n || '@example.org',
        (array['Anna', 'Bernard', 'Chris'])[1 + n % 3] || ' Smith ' || n, 'none', '2026-01-01'
      from generate_series(1, 30000) n`;
  await sql`insert into capsules (id, creator_id, title, description, personal_message,
        date_to_unlock, time_zone, unlock_at, notify_recipient, media_count, total_bytes, created_at,
        opened_notice_at)
      select gen_random_uuid(),
        ('00000000-0000-4000-8000-' || lpad((case when n % 5 = 0 then 1 else 2 + n % 199 end)::text, 12, '0'))::uuid,
        'Title ' || n, 'Words', 'A message', date '2028-01-01' + n % 1500, 'UTC',
        timestamptz '2028-01-01' + (n % 1500) * interval '1 day', false, 0, 0,
        timestamptz '2027-01-01' + n * interval '1 second',
        case when n % 1500 < 731 then timestamptz '2030-01-01' end
      from generate_series(1, 100000) n`;
  await sql`insert into capsule_recipients
        (capsule_id, user_id, position, created_at, unlock_at, date_to_unlock, hidden, is_creator)
      select id, case when extract(second from created_at)::int % 5 = 1 then ${heavyId}::uuid else ${sampleId(2)}::uuid end, 0,
        created_at, unlock_at, date_to_unlock, extract(epoch from created_at)::int % 50 = 1,
        false
      from capsules`;
  // The id of each email is its capsule's.
  await sql`insert into emails (id, kind, user_id, is_about_capsules, created_at)
    select id, 'capsule-waiting', ${heavyId}, true, '2029-12-31' from capsules limit 20000`;
  await sql`insert into notices (capsule_id, kind, user_id, email_id)
    select id, kind, user_id, id from emails`;
  await sql`insert into sendings
      (id, email_id, number, cause, urgency, slot, next_attempt_at, created_at)
    select gen_random_uuid(), id, 1, 'first', 2, 'main', created_at, created_at from emails`;
  await sql`update sendings set next_attempt_at = '2030-01-02'
    where id in (select id from sendings limit 5000)`;
  await sql`insert into emails (id, kind, to_address, is_about_capsules, created_at)
    select gen_random_uuid(), 'invitation', 'left-' || n || '@example.org', false, '2029-12-31'
    from generate_series(1, 2000) n`;
  await sql`insert into account_changes (id, user_id, slot, new_address, created_at, confirmed_at,
      takes_effect_at, objection_until, previous_main, previous_main_confirmed)
    select gen_random_uuid(), id, 'main', email, '2029-01-01', '2029-01-01', '2029-01-01',
      '2029-01-31', 'before-' || email, true
    from users where email like 'neighbour-%' limit 2000`;
  await sql`insert into sessions (id, user_id, expires_at, created_at)
    select 'session ' || n, ${heavyId}, '2031-01-01', '2029-01-01' from generate_series(1, 20000) n`;
  await sql`insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, touched_at)
    select gen_random_uuid(), id, 'session ' || id, 'https://push.example/' || id, 'key', 'secret', '2029-01-01'
    from users where email like 'neighbour-%'`;
  await sql`insert into push_messages (subscription_id, capsule_ids, next_attempt_at)
    select id, array[id], timestamptz '2029-12-31' + (row_number() over ()) * interval '1 second'
    from push_subscriptions`;
  await sql`insert into capsule_keys (user_id, key, state, lease_until, claim, fingerprint, capsule_id)
    select ${heavyId}, id, 'done', '2029-01-01', id, 'same', id from capsules limit 20000`;
  // Not only counted, but marked as visible to all, as they are a while after they were written.
  await sql`vacuum analyze`;
  await sql`reset all`;
  sql.release();
}
