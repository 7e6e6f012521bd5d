/**
 * The rooms of the house and the arrows between them, as tables.
 * The first room whose pattern matches a path is its room; `*.test.ts(x)`,
 * `*.contract.ts` and `*.support.ts` belong to none.
 */

const SHARED = ['shared'];
const PORTS = ['server ports', ...SHARED];
const DATA = ['server auth', 'server db', ...PORTS];
const DOMAIN = ['server domain', ...DATA];
const IMPLEMENTATIONS = ['server embedded', 'server files', 'server mail'];
const APP = ['server app', 'server routes', 'server http', 'server jobs', ...DOMAIN];

const PAGE = ['client ui', 'client state', 'client sync', 'client local', 'client http', ...SHARED];

/** [room, which files are in it, the rooms it may import besides itself] */
export const ROOMS = [
  ['shared', /^shared\//, []],

  [
    'server main',
    /^server\/(main|accept-clock|backup|fsck|operator-database|create-deps|start-(server|failure)|clock-(guard|memory))\.ts$/,
    [...APP, ...IMPLEMENTATIONS],
  ],
  ['server app', /^server\/(app|listen)\.ts$/, ['server routes', 'server http', ...DOMAIN]],
  ['server routes', /^server\/routes\//, ['server http', ...DOMAIN]],
  ['server http', /^server\/http\//, DATA],
  ['server jobs', /^server\/jobs\//, DOMAIN],
  ['server domain', /^server\/domain\//, ['server mail texts', ...DATA]],
  ['server auth', /^server\/auth\//, ['server db', ...PORTS]],
  // The types of everything the server stands on; nothing runs in it.
  ['server deps', /^server\/deps\.ts$/, ['server http', ...DATA]],
  // What a port is, without what stands behind it.
  [
    'server ports',
    /^server\/(files\/(file-store|measure|sniff)|mail\/mailer|app-error|clock|config|copy-folder|describe-error|ids|limiter|log|project-root|start-error)\.ts$/,
    SHARED,
  ],
  ['server embedded', /^server\/db\/embedded/, ['server db', ...PORTS]],
  ['server db', /^server\/db\//, PORTS],
  ['server files', /^server\/files\//, PORTS],
  // What mails say, as pure functions; the drivers beside them never see them.
  ['server mail texts', /^server\/mail\/templates\//, SHARED],
  ['server mail', /^server\/mail\//, PORTS],

  // What the build tells phones about the app.
  ['client manifest', /^client\/manifest\.ts$/, SHARED],
  [
    'client main',
    /^client\/(main|prerender)\.tsx$|^client\/(pwa(-worker)?|after-first-paint)\.ts$/,
    ['client app', ...PAGE],
  ],
  ['client app', /^client\/app[^/]*\.tsx?$/, ['client pages', ...PAGE]],
  ['client pages', /^client\/pages\//, PAGE],
  ['client state', /^client\/state\//, ['client sync', 'client local', 'client http', ...SHARED]],
  ['client ui', /^client\/ui\//, SHARED],
  ['client sw', /^client\/sw\//, ['client sync', 'client local', 'client http', ...SHARED]],
  ['client sync', /^client\/sync\//, ['client local', 'client http', ...SHARED]],
  ['client local', /^client\/local\//, SHARED],
  ['client http', /^client\/http\//, SHARED],
];

/** [rooms, packages they must not import, why] */
export const PACKAGES = [
  [/^shared$/, /^(?!zod\/mini$)/, 'shared imports zod/mini only'],
  [
    /^client (sw|sync|local|http)$/,
    /^react/,
    'the worker shares this room, and it never runs React',
  ],
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
  ['aws4fetch', 'server/files/s3-client.ts'],
];

/** The files that may mention the environment: the one that reads it and the one that passes it in. */
export const ENVIRONMENT = ['server/config.ts', 'server/main.ts'];

/** Imported as a type from any room of the server. */
export const TYPES_FOR_ALL = ['server/deps.ts'];
