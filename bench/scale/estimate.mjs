import { randomBytes } from 'node:crypto';
import { signUp } from '../support/person.mjs';
import { tableOf } from '../support/report.mjs';
import { create, film } from './sender.mjs';
import { startWorld } from './world.mjs';

/** An address may register 20 people a minute, and a person may begin 120 capsules in one. */
const SENDERS = 20;
const CAPSULES_EACH = 100;
const CAPSULES = SENDERS * CAPSULES_EACH;
const CROWD = 5_000;
const LISTS_EACH = 100;

const GIGABYTE = 2 ** 30;
const SECONDS_A_DAY = 86_400;
const DAYS_A_YEAR = 365;
/** Of PostgreSQL and of a server, as they come. A server has two connections beside its pool. */
const MAX_CONNECTIONS = 100;
const CONNECTIONS_OF_SERVER = 12;

/**
 * What so many people and capsules take, from what 2,000 capsules and 5,000 people take here.
 * @param given the assumptions, as numbers: see the usage of `bench/scale.mjs`
 * @returns Markdown with the tables
 */
export async function estimate(given) {
  const world = await startWorld();
  try {
    return textOf(await measure(world, given), given);
  } finally {
    await world.close();
  }
}

/** Creates capsules by calls, straight at one server, as many in a minute as its limits allow. */
async function measure({ servers, postgres }, { recipients, files, letter }) {
  const [server] = servers;
  const { port } = server;
  const people = [];
  for (let index = 0; index < SENDERS; index += 1) {
    people.push(await signUp(port, `person-${index}`));
  }
  const empty = await sizes(postgres);
  const content = files > 0 ? film(1_000) : null;
  const ofCreate = await cost(server, postgres, async () => {
    await Promise.all(
      people.map(async (person, index) => {
        const others = Array.from({ length: recipients }, (_, n) => people[(index + n) % SENDERS]);
        const recipientEmails = others.map(({ email }) => email);
        for (let number = 0; number < CAPSULES_EACH; number += 1) {
          // Random: a database compresses long texts, and nobody knows how well.
          const personalMessage = randomBytes(letter).toString('base64').slice(0, letter);
          const title = `Letter ${number}`;
          const fields = { title, recipientEmails, personalMessage, files, content };
          const { status, code } = await create(`http://127.0.0.1:${port}`, person, fields);
          if (status !== 201) throw new Error(`Not created: ${status} ${code}`);
        }
      }),
    );
    return CAPSULES;
  });
  // Every recipient is told once, when the capsule opens, and that stays with the capsule.
  await postgres.sql`
    with told as (select gen_random_uuid() as id, user_id, capsule_id from capsule_recipients),
    emails as (
      insert into emails (id, kind, user_id, is_about_capsules, created_at)
      select id, 'capsule-opened', user_id, true, now() from told),
    notices as (
      insert into notices (capsule_id, kind, user_id, email_id)
      select capsule_id, 'capsule-opened', user_id, id from told)
    insert into sendings (id, email_id, number, cause, urgency, slot, address, attempts, begun_at,
      sent_at, provider_id, outcome, outcome_at, created_at)
    select gen_random_uuid(), told.id, 1, 'first', 1, 'main', email, 1, now(),
      now(), gen_random_uuid(), 'delivered', now(), now()
    from told join users on users.id = user_id`;
  const withCapsules = await sizes(postgres);
  await postgres.addCrowd({ people: CROWD, capsules: 1 });
  const withCrowd = await sizes(postgres);
  const ofList = await cost(server, postgres, async () => {
    const list = `http://127.0.0.1:${port}/api/capsules/created?page=1&limit=6`;
    await Promise.all(
      people.map(async (person) => {
        for (let call = 0; call < LISTS_EACH; call += 1) {
          const answer = await fetch(list, { headers: person.headers() });
          await answer.arrayBuffer();
          if (!answer.ok) throw new Error(`No list: ${answer.status}`);
        }
      }),
    );
    return SENDERS * LISTS_EACH;
  });
  return {
    ofCapsule: difference(empty, withCapsules, CAPSULES),
    ofPerson: difference(withCapsules, withCrowd, CROWD).filter(({ name }) => name === 'users'),
    ofCreate,
    ofList,
  };
}

/**
 * Processor time in seconds of one call, of those that `work` counts. Other than the time until the
 * answer it is the same on a busy machine.
 */
async function cost(server, postgres, work) {
  const before = [server.cpuSeconds(), postgres.cpuSeconds()];
  const calls = await work();
  return {
    server: (server.cpuSeconds() - before[0]) / calls,
    database: (postgres.cpuSeconds() - before[1]) / calls,
  };
}

/** Rows, bytes with indexes, and bytes of indexes alone, by table. */
async function sizes({ sql, settle }) {
  await settle();
  const rows = await sql`
    select relname as name, reltuples::float8 as rows, pg_total_relation_size(oid)::float8 as bytes,
      pg_indexes_size(oid)::float8 as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  return new Map(rows.map((row) => [row.name, row]));
}

function difference(before, after, count) {
  return [...after.values()]
    .map(({ name, ...now }) => {
      const then = before.get(name);
      const grown = (figure) => (now[figure] - Math.max(0, then[figure])) / count;
      return { name, rows: grown('rows'), bytes: grown('bytes'), indexes: grown('indexes') };
    })
    .filter(({ rows }) => rows >= 0.5);
}

function textOf({ ofCapsule, ofPerson, ofCreate, ofList }, given) {
  const { people, capsules, files, share, peak, years } = given;
  const parts = [
    ...ofPerson.map((part) => ({ ...part, count: people })),
    ...ofCapsule.map((part) => ({ ...part, count: capsules })),
  ];
  const total = (figure) => parts.reduce((sum, part) => sum + part[figure] * part.count, 0);
  const calls = ((people * share * given['calls-a-day']) / SECONDS_A_DAY) * peak;
  const creates = (capsules / (years * DAYS_A_YEAR * SECONDS_A_DAY)) * peak;
  const cores = (side) => calls * ofList[side] + creates * ofCreate[side];
  // Each server is one process with one thread for all calls.
  const servers = Math.ceil(cores('server'));
  const needs = [
    ['Cores of servers, one server each', cores('server'), 1],
    ['Cores of the database', cores('database'), given.cores],
    [
      'GB of indexes, against the memory of the database',
      total('indexes') / GIGABYTE,
      given['memory-gb'],
    ],
    [
      'Connections of these servers without a pooler',
      servers * CONNECTIONS_OF_SERVER,
      MAX_CONNECTIONS,
    ],
  ].sort((a, b) => b[1] / b[2] - a[1] / a[2]);
  const rows = parts.map(({ name, rows, bytes, count }) => [
    name,
    rows.toFixed(1),
    rounded(bytes),
    rounded(rows * count),
    `${rounded((bytes * count) / GIGABYTE)} GB`,
  ]);
  const size = `${rounded(total('bytes') / GIGABYTE)} GB, of it ${rounded(total('indexes') / GIGABYTE)} GB indexes`;
  const stored = rounded((capsules * files * given['file-mb']) / 2 ** 20);
  const [[what, need, has]] = needs;
  return `Assumed: ${rounded(people)} people, ${share * 100} % of them a day with ${given['calls-a-day']} calls each, ${peak} times as many in the
busiest second; ${rounded(capsules)} capsules, created evenly over ${years} years, each with a letter of
${rounded(given.letter)} characters; recipients of a capsule, who have been told: ${given.recipients}; files: ${files}, of ${given['file-mb']} MB; a database with ${given.cores} cores and ${given['memory-gb']} GB.

Measured with ${rounded(CAPSULES)} capsules, created by calls, and ${rounded(CROWD)} people: rows, and bytes with their indexes. Sessions,
uploads and counted attempts come and go, and are left out. A call is the first page of a list, which takes ${milliseconds(ofList.server)} ms of
processor time in the server and ${milliseconds(ofList.database)} in the database; a create takes ${milliseconds(ofCreate.server)} and ${milliseconds(ofCreate.database)}.

${tableOf(['Table', 'Rows each', 'Bytes each', 'Rows', 'Size'], rows)}

- Database: ${size}
- Files: ${rounded(capsules * files)} with ${stored} TB. A bucket lists 1,000 in a call: all of them take ${rounded((capsules * files) / 1_000)} calls
- Servers: ${servers}, with nothing to spare

${tableOf(
  ['What breaks first', 'Needed', 'There is', 'Times'],
  needs.map(([what, need, has]) => [what, rounded(need), rounded(has), (need / has).toFixed(2)]),
)}

${need > has ? `First to break: ${what}.` : 'None of these breaks.'} The indexes need not all be in memory: those of people who come are read again
and again. What is not in here: lists that wait for a disk (here all was in memory), searches, people with
thousands of capsules, large files, and how fast emails leave.`;
}

const milliseconds = (seconds) => (seconds * 1000).toFixed(1);

function rounded(value) {
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}
