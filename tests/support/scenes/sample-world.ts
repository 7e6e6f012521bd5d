import { createHash, randomUUID } from 'node:crypto';
import { systemClock } from '../../../server/clock/clock.ts';
import { createStaticFiles } from '../../../server/http/static.ts';
import { createIds } from '../../../server/ids.ts';
import { login } from '../../../shared/api/auth.ts';
import { listOpened } from '../../../shared/api/opened.ts';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { seal } from '../capsules.ts';
import { answerOf, createClient, expectStatus, type SignedIn, signUp } from '../client.ts';
import { clip, type FixtureFile, pdf } from '../fixtures.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { garden, lake, portrait } from './pictures.ts';

/** When every scene plays, for the server and for the browser. */
export const NOW = new Date('2030-05-04T10:00:00.000Z');
const BEGINNING = '2026-02-11T09:00:00.000Z';

export type SamplePerson = 'ada' | 'grace' | 'olive' | 'nora' | 'max';

/** A signed-in session to hand to a browser. */
export interface Session {
  user: CurrentUser;
  cookies: { name: string; value: string }[];
}

/** The same people and capsules with the same ids each time, on a clock that starts the same. */
export interface SampleWorld {
  server: TestServer;
  /** Ids of capsules by their title. */
  capsules: Readonly<Record<string, string>>;
  /** A fresh session: what one scene does to its own harms no other. */
  signIn(person: SamplePerson): Promise<Session>;
  user(person: SamplePerson): CurrentUser;
  close(): Promise<void>;
}

export const LETTER = `Dear Ada,

if you are reading this, the first snow has fallen, and you have kept your word and not looked before.

I am writing at the kitchen table. The lake has a skin of ice as thin as a window, and your father says it will hold by Sunday. It will not. He will go out on it all the same, and come back with one wet boot and a story.

Keep the photographs. Keep the plum stone, too; it is from the tree you fell out of.

Yours, across all of it,
Grace`;

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** @param clientFolder the built client that the server hands out */
export async function startSampleWorld(clientFolder: string): Promise<SampleWorld> {
  const ids = repeatableIds();
  const server = await startTestServer({
    clock: BEGINNING,
    client: true,
    deps: { ids },
    staticFiles: createStaticFiles(clientFolder),
  });
  const join = (name: string) => {
    ids.begin(name);
    return signUp(server.url, name);
  };
  const people: Record<SamplePerson, SignedIn> = {
    ada: await join('Ada Lovelace'),
    grace: await join('Grace Hopper'),
    olive: await join('Olive Once'),
    nora: await join('Nora New'),
    max: await join(`${LONG.slice(0, 44)} III.`),
  };
  const capsules: Record<string, string> = {};

  /** Seals as it was done that day; days go forward only. */
  async function sealOn(day: string, from: SamplePerson, to: SamplePerson, sample: Sample) {
    const { title, opens, description, message = '', files = [] } = sample;
    server.clock.set(`${day}T09:00:00.000Z`);
    const sender = await signInTo(server, people[from]);
    ids.begin(title);
    const { id } = await seal(
      sender,
      people[to],
      { title, description, dateToUnlock: opens, personalMessage: message },
      files,
    );
    capsules[title] = id;
  }

  await introduce(people);
  await sealOn('2026-02-11', 'ada', 'ada', SAMPLES.eighteen);
  await sealOn('2026-06-21', 'ada', 'grace', SAMPLES.wedding);
  await sealOn('2026-07-01', 'grace', 'ada', SAMPLES.year2040);
  await sealOn('2027-04-02', 'ada', 'grace', SAMPLES.plum);
  await sealOn('2027-11-20', 'grace', 'ada', { ...SAMPLES.snow, files: [...(await keepsakes())] });
  await sealOn('2028-01-09', 'ada', 'grace', { ...SAMPLES.house, files: [await garden(), pdf()] });
  await sealOn('2028-05-30', 'olive', 'olive', SAMPLES.once);
  await sealOn('2028-07-14', 'max', 'max', SAMPLES.long);
  await sealOn('2028-07-15', 'max', 'max', { ...SAMPLES.longOpen, files: await longNames() });
  await sealOn('2028-08-01', 'ada', 'grace', SAMPLES.kitchen);
  await sealOn('2029-01-01', 'ada', 'ada', SAMPLES.forty);
  await sealOn('2029-05-20', 'ada', 'grace', { ...SAMPLES.lake, files: [await lake()] });
  await sealOn('2029-06-01', 'grace', 'ada', SAMPLES.classOf);
  await sealOn('2030-01-12', 'ada', 'grace', SAMPLES.recipe);
  await sealOn('2030-02-14', 'grace', 'ada', SAMPLES.valentine);
  await sealOn('2030-02-20', 'ada', 'ada', SAMPLES.resolutions);
  await sealOn('2030-04-02', 'ada', 'grace', SAMPLES.promise);
  ids.end();
  server.clock.set(NOW);
  // What has opened was looked at before. Scenes of the day itself say so.
  for (const person of [people.ada, people.grace, people.olive, people.max]) {
    const reader = await signInTo(server, person);
    const { capsules: waiting } = answerOf(listOpened, await reader.get('/api/capsules/opened'));
    for (const { id } of waiting) await reader.put(`/api/capsules/${id}/seen`);
  }

  return {
    server,
    capsules,
    user: (person) => people[person].user,
    async signIn(person) {
      const { user, jar } = await signInTo(server, people[person]);
      const cookies = await jar.getCookies(server.url);
      return { user, cookies: cookies.map(({ key, value }) => ({ name: key, value })) };
    },
    close: () => server.close(),
  };
}

interface Sample {
  title: string;
  /** YYYY-MM-DD */
  opens: string;
  description: string;
  message?: string;
  files?: FixtureFile[];
}

const SAMPLES = {
  eighteen: {
    title: 'To Nora, on the day she turns eighteen',
    opens: '2044-02-11',
    description: 'Everything I knew about you before you could tell me yourself.',
  },
  wedding: {
    title: 'Ten years after the wedding',
    opens: '2036-06-21',
    description: 'Both speeches, the seating plan, and what we really thought of the band.',
  },
  year2040: {
    title: 'Your bet about the year 2040',
    opens: '2040-01-01',
    description: 'You were quite sure. I wrote it down.',
  },
  plum: {
    title: 'What we buried under the plum tree',
    opens: '2030-05-05',
    description: 'A list, a map, and an apology to the gardener.',
  },
  snow: {
    title: 'Open this when the first snow falls',
    opens: '2029-12-01',
    description: 'Letters, photographs and the film of that afternoon at the lake.',
    message: LETTER,
  },
  house: {
    title: 'The house on Linden Street',
    opens: '2030-05-10',
    description: 'How it looked before we painted anything.',
  },
  once: {
    title: 'One thing I want to remember',
    opens: '2031-05-30',
    description: 'The smell of the workshop on a Sunday.',
  },
  long: {
    title: `${LONG}${LONG.slice(0, 100)}`,
    opens: '2095-09-30',
    description: `${LONG} ${'a description without end '.repeat(12)}`,
  },
  longOpen: {
    title: `Opened ${LONG}`,
    opens: '2029-09-30',
    description: `${LONG} ${'a description without end '.repeat(12)}`,
    message: `${LONG}${LONG}\n\n${'And so on, and on. '.repeat(30)}`,
  },
  kitchen: {
    title: 'For the new kitchen, if it is ever finished',
    opens: '2031-09-01',
    description: 'Three estimates and a photograph of the first one coming true.',
  },
  forty: {
    title: 'Dear me, at forty',
    opens: '2030-05-04',
    description: 'A few questions you promised to answer.',
    message: 'Did you learn to sail? Did you ever call her back?',
  },
  lake: {
    title: 'Letters from the lake',
    opens: '2030-05-29',
    description: 'One for every evening of that summer.',
  },
  recipe: {
    title: 'Grandmother’s recipe, and what she left out of it',
    opens: '2034-12-24',
    description: 'For the first Christmas that you cook.',
  },
  valentine: {
    title: 'Not to be read before we are old',
    opens: '2060-02-14',
    description: 'You will see why.',
  },
  resolutions: {
    title: 'Three resolutions',
    opens: '2031-01-01',
    description: 'Let us see.',
  },
  promise: {
    title: 'A promise, witnessed by the cat',
    opens: '2030-10-01',
    description: 'Signed by all three of us, one of them with a paw.',
  },
  classOf: {
    title: 'Class of 2030',
    opens: '2030-06-20',
    description: 'What each of us said we would become.',
  },
} satisfies Record<string, Sample>;

async function keepsakes(): Promise<FixtureFile[]> {
  return [await lake(), await garden(), await clip('First steps on the ice.mp4'), pdf()];
}

async function longNames(): Promise<FixtureFile[]> {
  const picture = await lake();
  return [
    { ...picture, name: `${LONG}${LONG}.jpg` },
    pdf(`${LONG} ${LONG}.pdf`),
    await clip(`${LONG}.mp4`),
  ];
}

/** What people say of themselves. */
async function introduce({ ada, grace, max }: Record<SamplePerson, SignedIn>): Promise<void> {
  const say = async (person: SignedIn, bio: string) =>
    expectStatus(await person.put('/user/update-profile', { ...person.user, bio }), 200);
  await say(ada, 'Writes letters to engines that do not exist yet.');
  await say(max, `${LONG.repeat(6)}`.slice(0, 500));
  await say(grace, 'Keeps a moth in her logbook, and a plum stone in her pocket.');
  const { name, type, bytes } = await portrait();
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes)], { type }), name);
  expectStatus(await grace.request('POST', '/user/update-profile-photo', { body }), 200);
}

/** Sessions end while years pass: a new one for the same person. */
async function signInTo(server: TestServer, { user, password }: SignedIn): Promise<SignedIn> {
  const client = createClient(server.url);
  await client.get('/user/me');
  const answer = answerOf(login, await client.post('/auth/login', { email: user.email, password }));
  return { ...client, user: answer.user, password };
}

/**
 * Ids that follow from what is being made, for seals are drawn from them. Nothing else may
 * ask for ids meanwhile; from `end` on they are random again.
 */
function repeatableIds() {
  let making: string | null = null;
  let count = 0;
  return {
    ...createIds(systemClock),
    uuid() {
      if (making === null) return randomUUID();
      count += 1;
      return uuidOf(`${making} ${count}`);
    },
    begin(name: string) {
      making = name;
      count = 0;
    },
    end() {
      making = null;
    },
  };
}

/** The UUID that stands for this text. */
export function uuidOf(text: string): `${string}-${string}-${string}-${string}-${string}` {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
