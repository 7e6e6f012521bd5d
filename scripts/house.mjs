/**
 * The layers of the project and the imports allowed between them. A file belongs to the first
 * layer whose pattern matches its path; `*.test.ts(x)`, `*.contract.ts` and `*.support.ts` belong
 * to none.
 */

const SHARED = ['shared'];
const PORTS = ['server ports', ...SHARED];
const DATA = ['server auth', 'server limits', 'server db', ...PORTS];
/** Routes reach the database through the domain. */
const WITHOUT_DB = ['server domain', 'server auth', 'server limits', ...PORTS];
const DOMAIN = ['server domain', ...DATA];
const IMPLEMENTATIONS = ['server embedded', 'server files', 'server mail', 'server push'];
const APP = ['server app', 'server routes', 'server http', 'server jobs', ...DOMAIN];

const PAGE = [
  'client store',
  'client components',
  'client hooks',
  'client sync',
  'client db',
  'client api',
  ...SHARED,
];

/**
 * [room, which files are in it, the rooms it may import besides itself]
 * @type {[string, RegExp, string[]][]}
 */
export const ROOMS = [
  ['shared', /^shared\//, []],

  [
    'server main',
    /^server\/(main|accept-(clock|store)|admin|backup|fsck|move|operator-database|create-deps|start-(server|failure|warnings)|clock-(guard|memory))\.ts$/,
    [...APP, ...IMPLEMENTATIONS, 'server mail texts'],
  ],
  ['server app', /^server\/(app|listen)\.ts$/, ['server routes', 'server http', ...DOMAIN]],
  ['server routes', /^server\/routes\//, ['server http', ...WITHOUT_DB]],
  ['server http', /^server\/http\//, DATA],
  ['server jobs', /^server\/jobs\//, DOMAIN],
  ['server domain', /^server\/domain\//, ['server mail texts', ...DATA]],
  ['server auth', /^server\/auth\//, ['server db', ...PORTS]],
  ['server limits', /^server\/client-limits\.ts$/, ['server db', ...PORTS]],
  // Types only: the dependencies that domain functions are given.
  ['server deps', /^server\/deps\.ts$/, DATA],
  // The interfaces of ports, without their implementations.
  [
    'server ports',
    /^server\/(files\/(file-store|harmless-name|late-signatures|measure|sniff)|mail\/mailer|push\/(push-sender|endpoint)|app-error|clock|config(-address)?|copy-folder|describe-error|ids|keep-owner|limiter|log|project-root|start-error)\.ts$/,
    SHARED,
  ],
  ['server embedded', /^server\/embedded-postgres\//, ['server db', ...PORTS]],
  ['server db', /^server\/db\//, PORTS],
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
