/**
 * The layers of the project and the imports allowed between them. A file belongs to the first
 * layer whose pattern matches its path; `*.test.ts(x)`, `*.contract.ts` and `*.support.ts` belong
 * to none.
 */

const SHARED = ['shared'];
const PORTS = ['server ports', ...SHARED];
const DB = [
  '',
  ' accounts',
  ' capsules',
  ' doors',
  ' drafts',
  ' email content',
  ' emails',
  ' operator',
  ' push',
  ' storage',
].map((room) => `server db${room}`);
const DATA = ['server auth', 'server limits', ...DB, ...PORTS];
const DOMAIN = [
  'accounts',
  'capsules',
  'doors',
  'drafts',
  'email content',
  'emails',
  'export',
  'push',
  'storage',
].map((room) => `server domain ${room}`);
/** Routes reach the database through the domain. */
const WITHOUT_DB = [...DOMAIN, 'server auth', 'server limits', ...PORTS];
const IMPLEMENTATIONS = ['server embedded', 'server files', 'server mail', 'server push'];
const APP = ['server app', 'server routes', 'server http', 'server jobs', ...DOMAIN, ...DATA];
const MAIN = ['server clock', ...APP, ...IMPLEMENTATIONS, 'server mail texts'];

const PAGE = [
  'client store',
  'client components',
  'client hooks',
  'client sync',
  'client db',
  'client api',
  ...SHARED,
];

/** What a room of the domain may import: these other rooms of it, and what stands below all of them. */
const domain = (...rooms) => [...rooms.map((room) => `server domain ${room}`), ...DATA];
/** The same for a room of statements. */
const db = (...rooms) => [...rooms.map((room) => `server db ${room}`), 'server db', ...PORTS];

/**
 * [room, which files are in it, the rooms it may import besides itself]
 * @type {[string, RegExp, string[]][]}
 */
export const ROOMS = [
  ['shared', /^shared\//, []],

  ['server main', /^server\/(main|create-deps|start-(server|failure|warnings))\.ts$/, MAIN],
  // What operators run.
  ['server operator', /^server\/operator\//, ['server main', ...MAIN]],
  [
    'server app',
    /^server\/(app|listen)\.ts$/,
    ['server routes', 'server http', ...DOMAIN, ...DATA],
  ],
  ['server routes', /^server\/routes\//, ['server http', ...WITHOUT_DB]],
  ['server http', /^server\/http\//, DATA],
  ['server jobs', /^server\/jobs\//, [...DOMAIN, ...DATA]],

  // What the product is, by feature. Below each stands what it needs of others.
  ['server domain export', /^server\/domain\/export\//, domain('accounts', 'capsules', 'drafts')],
  [
    'server domain email content',
    /^server\/domain\/email-content\//,
    ['server mail texts', ...domain('accounts', 'capsules', 'doors', 'emails')],
  ],
  [
    'server domain capsules',
    /^server\/domain\/capsules\//,
    domain('accounts', 'drafts', 'emails', 'storage'),
  ],
  ['server domain drafts', /^server\/domain\/drafts\//, domain('emails', 'storage')],
  ['server domain doors', /^server\/domain\/doors\//, domain('accounts', 'emails')],
  ['server domain accounts', /^server\/domain\/accounts\//, domain('emails', 'storage')],
  ['server domain emails', /^server\/domain\/emails\//, ['server mail texts', ...domain()]],
  ['server domain push', /^server\/domain\/push\//, domain()],
  ['server domain storage', /^server\/domain\/storage\//, domain()],

  ['server auth', /^server\/auth\//, [...DB, ...PORTS]],
  ['server limits', /^server\/client-limits\.ts$/, [...DB, ...PORTS]],
  // Types only: the dependencies that domain functions are given.
  ['server deps', /^server\/deps\.ts$/, DATA],
  // The interfaces of ports, without their implementations.
  [
    'server ports',
    /^server\/(files\/(file-store|harmless-name|late-signatures|measure|sniff)|mail\/(kinds|mailer)|push\/(push-sender|endpoint)|app-error|clock\/clock|config(-address)?|describe-error|ids|json-text|keep-owner|limiter|log|project-root|start-error|sync-file)\.ts$/,
    SHARED,
  ],
  // Keeps the clock from jumping back, over restarts too.
  ['server clock', /^server\/clock\//, [...DB, ...PORTS]],
  ['server embedded', /^server\/embedded-postgres\//, ['server db', ...PORTS]],

  // The statements of each feature, in the same rooms; what all of them need is beside these rooms.
  ['server db operator', /^server\/db\/operator\//, db('accounts', 'drafts', 'emails')],
  ['server db email content', /^server\/db\/email-content\//, db('accounts')],
  ['server db capsules', /^server\/db\/capsules\//, db('accounts', 'drafts', 'emails', 'storage')],
  ['server db drafts', /^server\/db\/drafts\//, db('storage')],
  ['server db doors', /^server\/db\/doors\//, db('accounts')],
  ['server db emails', /^server\/db\/emails\//, db('accounts', 'push')],
  ['server db accounts', /^server\/db\/accounts\//, db('storage')],
  ['server db push', /^server\/db\/push\//, db()],
  ['server db storage', /^server\/db\/storage\//, db()],
  ['server db', /^server\/db\/(schema\/)?[^/]+$/, PORTS],
  ['server files', /^server\/files\//, PORTS],
  // The texts of emails, as pure functions.
  ['server mail texts', /^server\/mail\/templates\//, SHARED],
  ['server mail', /^server\/mail\//, PORTS],
  ['server push', /^server\/push\//, PORTS],

  // The web app manifest.
  ['client manifest', /^client\/manifest\.ts$/, SHARED],
  [
    'client main',
    /^client\/(main|routes|prerender)\.tsx$/,
    ['client app', 'client pages', ...PAGE],
  ],
  ['client app', /^client\/app\//, PAGE],
  ['client pages', /^client\/pages\//, PAGE],
  // The one store factory, for components too.
  ['client store', /^client\/hooks\/store\.ts$/, []],
  [
    'client hooks',
    /^client\/hooks\//,
    ['client store', 'client sync', 'client db', 'client api', ...SHARED],
  ],
  ['client components', /^client\/components\//, ['client store', ...SHARED]],
  ['client sw', /^client\/sw\//, ['client sync', 'client db', 'client api', ...SHARED]],
  ['client sync', /^client\/sync\//, ['client db', 'client api', ...SHARED]],
  ['client db', /^client\/db\//, SHARED],
  ['client api', /^client\/api\//, SHARED],
];

/**
 * [rooms, packages they must not import, why]
 * @type {[RegExp, RegExp, string][]}
 */
export const PACKAGES = [
  [/^shared$/, /^(?!zod\/mini$)/, 'shared imports zod/mini only'],
  [/^client (sw|sync|db|api)$/, /^react/, 'the worker shares this room, and it never runs React'],
  [
    /^client /,
    /^(node:|hono|@hono\/|drizzle-orm|postgres$|lucia|sharp$|pino$)/,
    'this belongs to the server',
  ],
  [/^server /, /^(react|dexie|workbox-)/, 'this belongs to the client'],
];

/** [package, the only file that may import it] */
export const BEHIND_ONE_FILE = [
  ['lucia', 'server/auth/sessions.ts'],
  ['@lucia-auth/adapter-drizzle', 'server/auth/sessions.ts'],
  ['@node-rs/argon2', 'server/auth/passwords.ts'],
  ['@simplewebauthn/server', 'server/auth/passkeys.ts'],
  ['@simplewebauthn/browser', 'client/hooks/passkeys.ts'],
  ['openid-client', 'server/auth/provider-connection.ts'],
  ['web-push', 'server/push/web-push.ts'],
  ['@aws-sdk/client-s3', 'server/files/bucket.ts'],
  ['@aws-sdk/lib-storage', 'server/files/bucket.ts'],
];

/** [room, the only file of it that other rooms import] */
export const DOORS = new Map([['server embedded', 'server/embedded-postgres/index.ts']]);

/** The only files that may mention `process.env`. */
export const ENVIRONMENT = ['server/config.ts', 'server/main.ts'];

/** Imported as a type from any room of the server. */
export const TYPES_FOR_ALL = ['server/deps.ts'];
