import { createECDH } from 'node:crypto';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FILE_MAX_MB_DEFAULT, STORAGE_LIMIT_MB_DEFAULT } from '../shared/limits.ts';
import { site } from '../shared/site.ts';
import { ConfigError, getConfig } from './config.ts';

const DEFAULTS = {
  host: 'localhost',
  port: 3000,
  dataDir: resolve('data'),
  databaseUrl: null,
  databaseDirectUrl: null,
  allowNewerDatabase: false,
  databasePool: 10,
  jobs: true,
  appUrl: 'http://localhost:3000',
  secureCookies: false,
  mail: { provider: 'folder' },
  mailFrom: 'Time Capsule <no-reply@localhost>',
  emailVerification: false,
  storageLimitMB: STORAGE_LIMIT_MB_DEFAULT,
  maxFileMB: FILE_MAX_MB_DEFAULT,
  maxContributors: 50,
  registration: 'open',
  passwordPolicy: 'documented',
  passwordSignIn: true,
  identityProvider: null,
  vapidKeys: null,
  pushHosts: [],
  contact: { email: site.contactEmail, links: site.social, imprintUrl: null, termsUrl: null },
  siteName: 'Time Capsule',
  s3: null,
  trustedProxies: 0,
  metricsToken: null,
  rateLimits: true,
  logLevel: 'info',
};

const pair = createECDH('prime256v1');
const VAPID = {
  publicKey: pair.generateKeys('base64url'),
  privateKey: pair.getPrivateKey('base64url'),
};
const NO_PAIR =
  'VAPID_PUBLIC_KEY is not usable: it must be set together with VAPID_PRIVATE_KEY, and be the public part of the same key.';

const OIDC = {
  OIDC_ISSUER: 'https://id.example/family',
  OIDC_CLIENT_ID: 'capsules',
  OIDC_CLIENT_SECRET: 'a-secret',
};
const PROVIDER = {
  issuer: 'https://id.example/family',
  clientId: 'capsules',
  clientSecret: 'a-secret',
  name: 'id.example',
  hosts: [],
};

/** Every variable with a right value, and what it changes. */
const RIGHT: [environment: Record<string, string>, changes: object][] = [
  [{ PORT: '8080' }, { port: 8080, appUrl: 'http://localhost:8080' }],
  [{ PORT: '0' }, { port: 0, appUrl: 'http://localhost:0' }],
  [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
  [{ DATA_DIR: '/srv/capsules' }, { dataDir: '/srv/capsules' }],
  [{ DATABASE_URL: 'postgres://u:p@db:5432/x' }, { databaseUrl: 'postgres://u:p@db:5432/x' }],
  [{ DATABASE_URL: 'postgresql://a,b:5433/x' }, { databaseUrl: 'postgresql://a,b:5433/x' }],
  [
    { DATABASE_URL: 'postgres://pooler/x', DATABASE_DIRECT_URL: 'postgres://db/x' },
    { databaseUrl: 'postgres://pooler/x', databaseDirectUrl: 'postgres://db/x' },
  ],
  [OIDC, { identityProvider: PROVIDER }],
  [
    { ...OIDC, OIDC_NAME: 'Family account' },
    { identityProvider: { ...PROVIDER, name: 'Family account' } },
  ],
  [
    { ...OIDC, OIDC_HOSTS: 'keys.example, token.example:8443' },
    { identityProvider: { ...PROVIDER, hosts: ['keys.example', 'token.example:8443'] } },
  ],
  [
    { ...OIDC, PASSWORD_SIGN_IN: 'off' },
    { identityProvider: PROVIDER, passwordSignIn: false },
  ],
  [
    { ...OIDC, OIDC_ISSUER: 'http://localhost:8080', OIDC_NAME: 'Here' },
    { identityProvider: { ...PROVIDER, issuer: 'http://localhost:8080', name: 'Here' } },
  ],
  [{ ALLOW_NEWER_DATABASE: 'on' }, { allowNewerDatabase: true }],
  [
    { DATABASE_URL: 'postgres://u:100%25%20%40@db/x?sslmode=require' },
    { databaseUrl: 'postgres://u:100%25%20%40@db/x?sslmode=require' },
  ],
  [{ DATABASE_POOL: ' 20\n' }, { databasePool: 20 }],
  [
    { DATABASE_URL: 'postgres://db/x', DATABASE_POOL: '40', JOBS: 'off' },
    { databaseUrl: 'postgres://db/x', databasePool: 40, jobs: false },
  ],
  [
    { APP_URL: 'https://capsules.example/' },
    {
      appUrl: 'https://capsules.example',
      secureCookies: true,
      mailFrom: 'Time Capsule <no-reply@capsules.example>',
    },
  ],
  [
    { RESEND_API_KEY: 're_1' },
    {
      mail: { provider: 'resend', apiKey: 're_1', baseUrl: null, webhookSecret: null },
      emailVerification: true,
    },
  ],
  [
    { RESEND_API_KEY: 're_1', RESEND_BASE_URL: 'http://127.0.0.1:1', EMAIL_VERIFICATION: 'off' },
    {
      mail: {
        provider: 'resend',
        apiKey: 're_1',
        baseUrl: 'http://127.0.0.1:1',
        webhookSecret: null,
      },
    },
  ],
  [
    { SMTP_URL: 'smtps://u:p@mail.example:465' },
    {
      mail: { provider: 'smtp', url: 'smtps://u:p@mail.example:465', bounceMailbox: null },
      emailVerification: true,
    },
  ],
  [
    { SMTP_URL: 'smtp://u:p@mail.example', BOUNCE_MAILBOX: 'imaps://u%40x.example:p@mail.example' },
    {
      mail: {
        provider: 'smtp',
        url: 'smtp://u:p@mail.example',
        bounceMailbox: 'imaps://u%40x.example:p@mail.example',
      },
      emailVerification: true,
    },
  ],
  [{ MAIL_FROM: 'Us <us@capsules.example>' }, { mailFrom: 'Us <us@capsules.example>' }],
  [{ MAIL_FROM: 'us@capsules.example' }, { mailFrom: 'us@capsules.example' }],
  [
    { MAIL_FROM: 'Zeitkapsel: Briefe <us@capsules.example>' },
    { mailFrom: '"Zeitkapsel: Briefe" <us@capsules.example>' },
  ],
  [
    { MAIL_FROM: '"Zeitkapsel: \\"Briefe\\"" <us@capsules.example>' },
    { mailFrom: '"Zeitkapsel: \\"Briefe\\"" <us@capsules.example>' },
  ],
  [{ MAIL_FROM: '<us@capsules.example>' }, { mailFrom: 'us@capsules.example' }],
  [{ EMAIL_VERIFICATION: 'on' }, { emailVerification: true }],
  [{ STORAGE_LIMIT_MB: '2.5' }, { storageLimitMB: 2.5 }],
  [{ MAX_FILE_MB: '10' }, { maxFileMB: 10 }],
  [{ MAX_CONTRIBUTORS: '200' }, { maxContributors: 200 }],
  [
    { SITE_NAME: '👨‍👩‍👧 Wir' },
    { siteName: '👨‍👩‍👧 Wir', mailFrom: '"👨‍👩‍👧 Wir" <no-reply@localhost>' },
  ],
  [{ SITE_NAME: 'Opa Karl' }, { siteName: 'Opa Karl', mailFrom: 'Opa Karl <no-reply@localhost>' }],
  [
    { SITE_NAME: 'Müller, Co.: letters' },
    {
      siteName: 'Müller, Co.: letters',
      mailFrom: '"Müller, Co.: letters" <no-reply@localhost>',
    },
  ],
  [
    { SITE_IMPRINT_URL: 'https://a.example/imprint', SITE_TERMS_URL: 'https://a.example/terms' },
    {
      contact: {
        ...DEFAULTS.contact,
        imprintUrl: 'https://a.example/imprint',
        termsUrl: 'https://a.example/terms',
      },
    },
  ],
  [{ REGISTRATION: 'invited' }, { registration: 'invited' }],
  [{ REGISTRATION: 'closed' }, { registration: 'closed' }],
  [{ PASSWORD_POLICY: 'strict' }, { passwordPolicy: 'strict' }],
  [
    {
      SITE_CONTACT: 'host@capsules.example',
      SITE_LINKS: 'Our blog=https://b.example/?a=b, X=http://x.y',
    },
    {
      contact: {
        ...DEFAULTS.contact,
        email: 'host@capsules.example',
        links: [
          { name: 'Our blog', url: 'https://b.example/?a=b' },
          { name: 'X', url: 'http://x.y' },
        ],
      },
    },
  ],
  [
    { PUSH_HOSTS: 'push.example:443, Localhost:8443' },
    { pushHosts: ['push.example', 'localhost:8443'] },
  ],
  [
    { VAPID_PUBLIC_KEY: VAPID.publicKey, VAPID_PRIVATE_KEY: VAPID.privateKey },
    { vapidKeys: VAPID },
  ],
  [{ TRUST_PROXY: '2' }, { trustedProxies: 2 }],
  [{ METRICS_TOKEN: 'sixteen-letters-' }, { metricsToken: 'sixteen-letters-' }],
  [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
];

const MALFORMED =
  'is not usable: it must be an address in which / ? # @ % and spaces of user and password are written as %2F %3F %23 %40 %25 %20, and ports are numbers.';
const HAS_USER = 'is not usable: it must be an address without user and password.';

const WRONG: [environment: Record<string, string>, message: string][] = [
  [{ VAPID_PUBLIC_KEY: VAPID.publicKey }, NO_PAIR],
  [{ VAPID_PRIVATE_KEY: VAPID.privateKey }, NO_PAIR],
  [
    {
      VAPID_PUBLIC_KEY: createECDH('prime256v1').generateKeys('base64url'),
      VAPID_PRIVATE_KEY: VAPID.privateKey,
    },
    NO_PAIR,
  ],
  [
    { PUSH_HOSTS: 'https://push.example' },
    'PUSH_HOSTS is not usable: it must be a list such as push.example,push.example:8443 (it is "https://push.example").',
  ],
  [{ SITE_CONTACT: 'me' }, 'SITE_CONTACT is not usable: it must be an email address (it is "me").'],
  [
    { SITE_LINKS: 'Blog=https://b.example,javascript:alert(1)' },
    'SITE_LINKS is not usable: it must be a list such as Blog=https://…,Mastodon=https://… (it is "Blog=https://b.example,javascript:alert(1)").',
  ],
  [
    { DATABASE_DIRECT_URL: 'postgres://u:secret@db/x' },
    'DATABASE_URL is missing: DATABASE_DIRECT_URL needs it beside it.',
  ],
  [
    { DATABASE_POOL: '21' },
    'DATABASE_POOL is not usable: it can be above 20 only with DATABASE_URL (it is "21").',
  ],
  [
    { METRICS_TOKEN: 'short' },
    'METRICS_TOKEN is not usable: it must be at least 16 characters long.',
  ],
  [
    { JOBS: 'off' },
    'JOBS is not usable: it can be off only with DATABASE_URL, where another server does the work (it is "off").',
  ],
  [
    { PORT: 'http' },
    'PORT is not usable: it must be a whole number from 0 to 65535 (it is "http").',
  ],
  [
    { PORT: '65536' },
    'PORT is not usable: it must be a whole number from 0 to 65535 (it is "65536").',
  ],
  [
    { PORT: '30\n00' },
    'PORT is not usable: it must be a whole number from 0 to 65535 (it is "30\\n00").',
  ],
  [
    { DATABASE_URL: 'mysql://u:secret@db/x' },
    'DATABASE_URL is not usable: it must be an address that starts with postgres:// or postgresql://.',
  ],
  [
    { APP_URL: 'capsules.example' },
    'APP_URL is not usable: it must be an address that starts with http:// or https:// (it is "capsules.example").',
  ],
  [
    { APP_URL: 'https://[capsules' },
    'APP_URL is not usable: it must be an origin such as https://capsules.example, without a path (it is "https://[capsules").',
  ],
  [
    { APP_URL: 'https://capsules.example/app' },
    'APP_URL is not usable: it must be an origin such as https://capsules.example, without a path (it is "https://capsules.example/app").',
  ],
  [
    { RESEND_API_KEY: 'secret', RESEND_BASE_URL: 'ftp://x' },
    'RESEND_BASE_URL is not usable: it must be an address that starts with http:// or https:// (it is "ftp://x").',
  ],
  [
    { RESEND_API_KEY: 'secret', RESEND_WEBHOOK_SECRET: 'secret' },
    'RESEND_WEBHOOK_SECRET is not usable: it must be as Resend shows it: whsec_….',
  ],
  [
    { RESEND_BASE_URL: 'https://x.example' },
    'RESEND_API_KEY is missing: RESEND_BASE_URL needs it beside it.',
  ],
  [
    { SMTP_URL: 'u:secret@mail.example' },
    'SMTP_URL is not usable: it must be an address that starts with smtp:// or smtps://.',
  ],
  [
    { BOUNCE_MAILBOX: 'imaps://u:secret@mail.example' },
    'SMTP_URL is missing: BOUNCE_MAILBOX needs it beside it.',
  ],
  [
    { SMTP_URL: 'smtp://mail.example', BOUNCE_MAILBOX: 'imaps://secret@mail.example' },
    'BOUNCE_MAILBOX is not usable: it must be a mailbox such as imaps://user:password@mail.example.org/INBOX.',
  ],
  [
    { SMTP_URL: 'smtp://u:secret@mail.example', RESEND_API_KEY: 'secret' },
    'SMTP_URL is not usable: it cannot be set together with RESEND_API_KEY.',
  ],
  [
    { MAIL_FROM: 'nobody' },
    'MAIL_FROM is not usable: it must be an address, as in Time Capsule <hello@capsules.example> (it is "nobody").',
  ],
  [
    { EMAIL_VERIFICATION: 'yes' },
    'EMAIL_VERIFICATION is not usable: it must be one of on, off (it is "yes").',
  ],
  [
    { STORAGE_LIMIT_MB: '-1' },
    'STORAGE_LIMIT_MB is not usable: it must be a number above 0 (it is "-1").',
  ],
  [{ MAX_FILE_MB: '0' }, 'MAX_FILE_MB is not usable: it must be a number above 0 (it is "0").'],
  [
    { SITE_NAME: 'Us <us@a.example>' },
    'SITE_NAME is not usable: it must be one line of at most 60 characters without any of <>@"\\ (it is "Us <us@a.example>").',
  ],
  [
    { SITE_TERMS_URL: 'javascript:alert(1)' },
    'SITE_TERMS_URL is not usable: it must be an address that starts with http:// or https:// (it is "javascript:alert(1)").',
  ],
  [
    { REGISTRATION: 'off' },
    'REGISTRATION is not usable: it must be one of open, invited, closed (it is "off").',
  ],
  [
    { PASSWORD_POLICY: 'Strict' },
    'PASSWORD_POLICY is not usable: it must be one of documented, strict (it is "Strict").',
  ],
  [
    { PASSWORD_SIGN_IN: 'off' },
    'PASSWORD_SIGN_IN is not usable: it can be off only with OIDC_ISSUER, or nobody could sign in (it is "off").',
  ],
  [
    { ...OIDC, OIDC_ISSUER: 'http://id.example' },
    'OIDC_ISSUER is not usable: it must begin with https:// (it is "http://id.example").',
  ],
  [{ OIDC_ISSUER: OIDC.OIDC_ISSUER }, 'OIDC_CLIENT_ID is missing: OIDC_ISSUER needs it beside it.'],
  [
    { ...OIDC, OIDC_CLIENT_SECRET: '' },
    'OIDC_CLIENT_SECRET is missing: OIDC_CLIENT_ID needs it beside it.',
  ],
  [{ OIDC_NAME: 'Family' }, 'OIDC_ISSUER is missing: OIDC_NAME needs it beside it.'],
  [{ OIDC_HOSTS: 'keys.example' }, 'OIDC_ISSUER is missing: OIDC_HOSTS needs it beside it.'],
  [
    { ...OIDC, OIDC_HOSTS: 'https://keys.example' },
    'OIDC_HOSTS is not usable: it must be a list such as login.example,login.example:8443 (it is "https://keys.example").',
  ],
  [
    { ...OIDC, OIDC_NAME: 'n'.repeat(41) },
    `OIDC_NAME is not usable: it must be one line of at most 40 characters (it is "${'n'.repeat(41)}").`,
  ],
  [
    { ...OIDC, OIDC_CLIENT_SECRET: 'two words' },
    'OIDC_CLIENT_SECRET is not usable: it must be one word, as it was given to you.',
  ],
  [
    { TRUST_PROXY: 'true' },
    'TRUST_PROXY is not usable: it must be a whole number from 0 to 10 (it is "true").',
  ],
  [
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL is not usable: it must be one of trace, debug, info, warn, error, fatal, silent (it is "loud").',
  ],
  [{ S3_BUCKET: 'capsules' }, 'S3_ENDPOINT is missing: S3_BUCKET needs it beside it.'],
  [
    { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'capsules', S3_ACCESS_KEY_ID: 'id' },
    'S3_SECRET_ACCESS_KEY is missing: S3_ACCESS_KEY_ID needs it beside it.',
  ],
  [
    { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' },
    'S3_ENDPOINT is missing: S3_ACCESS_KEY_ID needs it beside it.',
  ],
  ...[
    'postgres://u:secret%@db/x',
    'postgres://u:sec/ret@db/x',
    'postgres://u:12/secret@db/x',
    'postgres://u:12?secret@db/x',
    'postgres://u:12#secret@db/x',
    'postgres://u:sec ret@db/x',
    'postgres://u:p@secret@db/x',
    'postgres://u:secret@db:port/x',
    'postgres://u:secret@a:5432,b:port/x',
    'postgres://u:secret@db/100%',
  ].map((DATABASE_URL): [Record<string, string>, string] => [
    { DATABASE_URL },
    `DATABASE_URL ${MALFORMED}`,
  ]),
  [
    { DATABASE_URL: 'postgres://db/x', DATABASE_DIRECT_URL: 'postgres://u:secret%@db/x' },
    `DATABASE_DIRECT_URL ${MALFORMED}`,
  ],
  [{ SMTP_URL: 'smtp://u:secret%@mail.example' }, `SMTP_URL ${MALFORMED}`],
  [
    { SMTP_URL: 'smtp://u:secret@mail.example?tls=never' },
    'SMTP_URL is not usable: it must say ?tls=optional, or nothing about TLS.',
  ],
  [
    { SMTP_URL: 'smtp://mail.example', BOUNCE_MAILBOX: 'imaps://u:sec#ret@mail.example' },
    `BOUNCE_MAILBOX ${MALFORMED}`,
  ],
  [
    { S3_ENDPOINT: 'https://id:secret@s3.example', S3_BUCKET: 'capsules' },
    `S3_ENDPOINT ${HAS_USER}`,
  ],
  [
    { S3_ENDPOINT: 'id:secret@s3.example', S3_BUCKET: 'capsules' },
    'S3_ENDPOINT is not usable: it must be an address that starts with http:// or https://.',
  ],
  [
    { RESEND_API_KEY: 're_1', RESEND_BASE_URL: 'https://u:secret@proxy.example' },
    `RESEND_BASE_URL ${HAS_USER}`,
  ],
  [
    { APP_URL: 'https://u:secret@capsules.example' },
    'APP_URL is not usable: it must be an origin such as https://capsules.example, without a path.',
  ],
  [
    { PUSH_HOSTS: 'https://u:secret@push.example' },
    'PUSH_HOSTS is not usable: it must be a list such as push.example,push.example:8443.',
  ],
  [
    { RESEND_API_KEY: 'secret\nsecret' },
    'RESEND_API_KEY is not usable: it must be one word, as it was given to you.',
  ],
  [
    {
      S3_ENDPOINT: 'https://s3.example',
      S3_BUCKET: 'capsules',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret with words',
    },
    'S3_SECRET_ACCESS_KEY is not usable: it must be one word, as it was given to you.',
  ],
  [{ S3_BUCKET: 'A/B' }, 'S3_BUCKET is not usable: it must be the name of a bucket (it is "A/B").'],
];

function refusal(environment: Record<string, string>): unknown {
  try {
    return getConfig(environment);
  } catch (error) {
    return error;
  }
}

test('files are in a bucket when all of it is said', () => {
  const { s3 } = getConfig({
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'capsules',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  expect(s3).toEqual({
    endpoint: 'https://s3.example',
    bucket: 'capsules',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  });
});

test('a bucket without keys is opened with a role or a session', () => {
  const { s3 } = getConfig({ S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'capsules' });
  expect(s3).toEqual({ endpoint: 'https://s3.example', bucket: 'capsules', region: 'us-east-1' });
});

test('without any variable the server runs on a laptop', () => {
  expect(getConfig({})).toEqual(DEFAULTS);
});

test('variables of other programs do not matter', () => {
  expect(getConfig({ PATH: '/bin', NODE_ENV: 'production', HOME: undefined })).toEqual(DEFAULTS);
});

describe('a right value', () => {
  test.each(RIGHT)('%j [33.push.5]', (environment, changes) => {
    expect(getConfig(environment)).toEqual({ ...DEFAULTS, ...changes });
  });
});

describe('an empty value counts as not set', () => {
  const names = new Set([...RIGHT, ...WRONG].flatMap(([environment]) => Object.keys(environment)));
  test.each([...names])('%s', (name) => {
    expect(getConfig({ [name]: '' })).toEqual(DEFAULTS);
    expect(getConfig({ [name]: ' ' })).toEqual(DEFAULTS);
  });
});

describe('a wrong value is one line that names it and gives no secret away', () => {
  test.each(WRONG)('%j', (environment, message) => {
    const error = refusal(environment);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toHaveProperty('message', message);
    expect(message).not.toMatch(/secret|12|ret@|\n/);
  });
});
