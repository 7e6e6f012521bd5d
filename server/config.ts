import { createECDH } from 'node:crypto';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type Contact, REGISTRATIONS } from '../shared/api/site.ts';
import {
  CONTRIBUTORS_MAX_DEFAULT,
  FILE_MAX_MB_DEFAULT,
  STORAGE_LIMIT_MB_DEFAULT,
} from '../shared/limits.ts';
import { site } from '../shared/site.ts';
import {
  address,
  addressWithoutUser,
  addressWithUser,
  hasKnownTls,
  hostsOf,
  isMailbox,
  isOrigin,
  isThisMachine,
} from './config-address.ts';
import type { PushKeys } from './push/push-sender.ts';
import { StartError } from './start-error.ts';

const flag = oneOf('on', 'off').transform((value) => value === 'on');

/** The embedded database has 30 connections, some for operators' commands. */
const EMBEDDED_POOL_MAX = 20;

const UNKNOWN_TLS = 'must say ?tls=optional, or nothing about TLS';

const environmentSchema = z
  .object({
    PORT: wholeNumber(0, 65_535).default(3000),
    HOST: z.string().default('localhost'),
    DATA_DIR: z.string().default('./data'),
    DATABASE_URL: addressWithUser('postgres', 'postgresql').optional(),
    DATABASE_DIRECT_URL: addressWithUser('postgres', 'postgresql').optional(),
    ALLOW_NEWER_DATABASE: flag.default(false),
    DATABASE_POOL: wholeNumber(1, 1_000).default(10),
    JOBS: flag.default(true),
    METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters long').optional(),
    APP_URL: address('http', 'https')
      .refine(isOrigin, 'must be an origin such as https://capsules.example, without a path')
      .optional(),
    RESEND_API_KEY: secret().optional(),
    RESEND_BASE_URL: addressWithoutUser('http', 'https').optional(),
    RESEND_WEBHOOK_SECRET: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/, { error: 'must be as Resend shows it: whsec_…' })
      .optional(),
    SMTP_URL: addressWithUser('smtp', 'smtps').refine(hasKnownTls, UNKNOWN_TLS).optional(),
    BOUNCE_MAILBOX: addressWithUser('imap', 'imaps')
      .refine(hasKnownTls, UNKNOWN_TLS)
      .refine(isMailbox, 'must be a mailbox such as imaps://user:password@mail.example.org/INBOX')
      .optional(),
    MAIL_FROM: z
      .string()
      .regex(
        /^(?:(?:[^<>@\r\n]* )?<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
        'must be an address, as in Time Capsule <hello@capsules.example>',
      )
      .transform((written) => {
        const [, name = '', address = written] = /^(.*)<(.*)>$/.exec(written) ?? [];
        return fromHeader(name, address);
      })
      .optional(),
    EMAIL_VERIFICATION: flag.optional(),
    STORAGE_LIMIT_MB: positiveNumber().default(STORAGE_LIMIT_MB_DEFAULT),
    MAX_FILE_MB: positiveNumber().default(FILE_MAX_MB_DEFAULT),
    MAX_CONTRIBUTORS: wholeNumber(1, 200).default(CONTRIBUTORS_MAX_DEFAULT),
    REGISTRATION: oneOf(...REGISTRATIONS).default('open'),
    PASSWORD_POLICY: oneOf('documented', 'strict').default('documented'),
    PASSWORD_SIGN_IN: flag.default(true),
    OIDC_ISSUER: addressWithoutUser('http', 'https')
      .refine(isHttpsOrLocal, 'must begin with https://')
      .optional(),
    OIDC_CLIENT_ID: secret().optional(),
    OIDC_CLIENT_SECRET: secret().optional(),
    OIDC_NAME: providerName().optional(),
    OIDC_HOSTS: hosts('login.example').optional(),
    S3_ENDPOINT: addressWithoutUser('http', 'https').optional(),
    S3_BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
      .optional(),
    S3_REGION: z.string().default('us-east-1'),
    S3_ACCESS_KEY_ID: secret().optional(),
    S3_SECRET_ACCESS_KEY: secret().optional(),
    /** Number of proxies in front. With 0, forwarded headers are ignored. */
    TRUST_PROXY: wholeNumber(0, 10).default(0),
    PUSH_HOSTS: hosts('push.example').default([]),
    VAPID_PUBLIC_KEY: z.string().optional(),
    VAPID_PRIVATE_KEY: z.string().optional(),
    SITE_NAME: siteName().default(site.name),
    SITE_IMPRINT_URL: addressWithoutUser('http', 'https').optional(),
    SITE_TERMS_URL: addressWithoutUser('http', 'https').optional(),
    SITE_CONTACT: z.email({ error: 'must be an email address' }).default(site.contactEmail),
    SITE_LINKS: links().default([...site.social]),
    LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
  })
  .refine((env) => env.DATABASE_URL || env.DATABASE_POOL <= EMBEDDED_POOL_MAX, {
    path: ['DATABASE_POOL'],
    error: `can be above ${EMBEDDED_POOL_MAX} only with DATABASE_URL`,
  })
  .refine((env) => env.DATABASE_URL || env.JOBS, {
    path: ['JOBS'],
    error: 'can be off only with DATABASE_URL, where another server does the work',
  })
  .refine((env) => !(env.RESEND_API_KEY && env.SMTP_URL), {
    path: ['SMTP_URL'],
    error: 'cannot be set together with RESEND_API_KEY',
  })
  .refine((env) => isKeyPair(env.VAPID_PUBLIC_KEY, env.VAPID_PRIVATE_KEY), {
    path: ['VAPID_PUBLIC_KEY'],
    error: 'must be set together with VAPID_PRIVATE_KEY, and be the public part of the same key',
  })
  .refine((env) => env.PASSWORD_SIGN_IN || env.OIDC_ISSUER, {
    path: ['PASSWORD_SIGN_IN'],
    error: 'can be off only with OIDC_ISSUER, or nobody could sign in',
  });

/** Each needs the next one beside it. */
const NEEDS = [
  ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
  ['RESEND_BASE_URL', 'RESEND_API_KEY'],
  ['RESEND_WEBHOOK_SECRET', 'RESEND_API_KEY'],
  ['BOUNCE_MAILBOX', 'SMTP_URL'],
  ['S3_BUCKET', 'S3_ENDPOINT'],
  ['S3_ENDPOINT', 'S3_BUCKET'],
  ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['S3_ACCESS_KEY_ID', 'S3_ENDPOINT'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['OIDC_CLIENT_SECRET', 'OIDC_ISSUER'],
  ['OIDC_NAME', 'OIDC_ISSUER'],
  ['OIDC_HOSTS', 'OIDC_ISSUER'],
] as const;

type Environment = z.output<typeof environmentSchema>;

/** A wrong environment value; the message is one line that names it. */
export class ConfigError extends StartError {}

/**
 * Parses the environment. An empty variable counts as not set. @throws ConfigError on a wrong
 * value
 */
export function getConfig(environment: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(
    // A secret that was read from a file often ends with a new line.
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || value.trim() === '' ? [] : [[name, value.trim()]],
    ),
  );
  const parsed = environmentSchema.safeParse(set);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    throw new ConfigError(`${name} is not usable: it ${issue?.message}${shown(name, set[name])}.`);
  }
  const env = parsed.data;
  for (const [given, missing] of NEEDS) {
    if (env[given] !== undefined && env[missing] === undefined) {
      throw new ConfigError(`${missing} is missing: ${given} needs it beside it.`);
    }
  }
  return configOf(env);
}

/** The environment variables, parsed, with defaults. */
export type Config = ReturnType<typeof configOf>;

function configOf(env: Environment) {
  const appUrl = new URL(env.APP_URL ?? `http://localhost:${env.PORT}`);
  const mail = mailConfig(env);
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: resolve(env.DATA_DIR),
    /** Null: the embedded database in `dataDir`. */
    databaseUrl: env.DATABASE_URL ?? null,
    /** PostgreSQL itself, where `databaseUrl` is a pooler in transaction mode. */
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? null,
    /** Whether it starts on a database of a newer version, to go back by one. */
    allowNewerDatabase: env.ALLOW_NEWER_DATABASE,
    /** How many connections the server has to the database at most. */
    databasePool: env.DATABASE_POOL,
    /** Whether this process sends emails, announces unlocks and cleans up. */
    jobs: env.JOBS,
    /** The public origin, without a slash at its end; used in links in emails. */
    appUrl: appUrl.origin,
    secureCookies: appUrl.protocol === 'https:',
    mail,
    mailFrom: env.MAIL_FROM ?? fromHeader(env.SITE_NAME, `no-reply@${appUrl.hostname}`),
    emailVerification: env.EMAIL_VERIFICATION ?? mail.provider !== 'folder',
    storageLimitMB: env.STORAGE_LIMIT_MB,
    maxFileMB: env.MAX_FILE_MB,
    /** How many people can add to one draft by its link. */
    maxContributors: env.MAX_CONTRIBUTORS,
    /** Who can make an account. */
    registration: env.REGISTRATION,
    passwordPolicy: env.PASSWORD_POLICY,
    /** Whether people can sign in with a password, and set one. Off only with an identity provider. */
    passwordSignIn: env.PASSWORD_SIGN_IN,
    /** The identity provider by which people can sign in. Null: there is none. */
    identityProvider: identityProvider(env),
    /** What push services know this server by. Null: made once, and saved in the database. */
    vapidKeys: vapidKeys(env.VAPID_PUBLIC_KEY, env.VAPID_PRIVATE_KEY),
    /** Further hosts that may be push services, as `host` or `host:port`. */
    pushHosts: env.PUSH_HOSTS,
    /** What every page says about how to reach who runs this server. */
    contact: {
      email: env.SITE_CONTACT,
      links: env.SITE_LINKS,
      imprintUrl: env.SITE_IMPRINT_URL ?? null,
      termsUrl: env.SITE_TERMS_URL ?? null,
    } as Pick<Contact, 'email' | 'links' | 'imprintUrl' | 'termsUrl'>,
    /** What the site is called. */
    siteName: env.SITE_NAME,
    /** Null: files are in `dataDir`. */
    s3: s3Config(env),
    trustedProxies: env.TRUST_PROXY,
    /** The bearer token of `GET /metrics`. Null: there are no metrics. */
    metricsToken: env.METRICS_TOKEN ?? null,
    /** Off only in tests and benchmarks. */
    rateLimits: true as boolean,
    logLevel: env.LOG_LEVEL as string,
  };
}

function mailConfig(env: Environment) {
  if (env.RESEND_API_KEY) {
    return {
      provider: 'resend' as const,
      apiKey: env.RESEND_API_KEY,
      baseUrl: env.RESEND_BASE_URL ?? null,
      webhookSecret: env.RESEND_WEBHOOK_SECRET ?? null,
    };
  }
  if (env.SMTP_URL) {
    const bounceMailbox = env.BOUNCE_MAILBOX ?? null;
    return { provider: 'smtp' as const, url: env.SMTP_URL, bounceMailbox };
  }
  return { provider: 'folder' as const };
}

/** With both keys, or neither: then a role or a session, which the SDK finds. */
function s3Config(env: Environment) {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = env;
  const keys = { accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY };
  return endpoint && bucket ? { endpoint, bucket, region, ...keys } : null;
}

function identityProvider(env: Environment) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (!issuer || !clientId || !clientSecret) return null;
  /** What people call it. */
  const name = env.OIDC_NAME ?? new URL(issuer).hostname;
  /** Further hosts that are the provider's, as `host` or `host:port`. */
  return { issuer, clientId, clientSecret, name, hosts: env.OIDC_HOSTS ?? [] };
}

/** The wrong value, for the error text. Secrets are not shown. */
function shown(name: string, value: string | undefined): string {
  if (/KEY|SECRET|TOKEN|DATABASE_(DIRECT_)?URL|SMTP_URL|BOUNCE_MAILBOX/.test(name)) return '';
  // An address with an @ may hold a password wherever it should not.
  if (/_URL$|ENDPOINT|_HOSTS|SITE_LINKS/.test(name) && value?.includes('@')) return '';
  return ` (it is ${JSON.stringify(value?.slice(0, 80))})`;
}

/** Goes into a header as it is: errors about what is no header would show it. */
function secret() {
  return z.string().regex(/^[\x21-\x7e]+$/, 'must be one word, as it was given to you');
}

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
}

function positiveNumber() {
  const error = 'must be a number above 0';
  return z
    .string()
    .regex(/^\d+(\.\d+)?$/, error)
    .transform(Number)
    .refine((value) => value > 0, error);
}

/** `Label=https://…`, separated by commas. */
function links() {
  const link = z
    .string()
    .regex(/^[^=]+=https?:\/\/[^/]/, 'must be a list such as Blog=https://…,Mastodon=https://…');
  return z
    .string()
    .transform((list) => list.split(',').map((text) => text.trim()))
    .pipe(z.array(link))
    .transform((list) =>
      list.map((text) => {
        const end = text.indexOf('=');
        return { name: text.slice(0, end).trim(), url: text.slice(end + 1) };
      }),
    );
}

/** It stands before the sender's address, and in titles. */
function siteName() {
  const error = 'must be one line of at most 60 characters without any of <>@"\\';
  return z.string().regex(/^[^<>@"\\\p{Cc}]{1,60}$/u, error);
}

/** It stands on a button. */
function providerName() {
  const error = 'must be one line of at most 40 characters';
  return z.string().regex(/^[^\p{Cc}]{1,40}$/u, error);
}

/** The client secret goes there, and who signs in is believed. */
function isHttpsOrLocal(text: string): boolean {
  return text.startsWith('https:') || hostsOf(text).every(isThisMachine);
}

/** As an email has its sender: a name of anything but plain words is quoted. */
function fromHeader(written: string, address: string): string {
  const quoted = /^"(.*)"$/.exec(written.trim())?.[1];
  const name = quoted?.replace(/\\(.)/g, '$1') ?? written.trim();
  if (name === '') return address;
  const isPlain = /^[\p{L}\p{N} ]+$/u.test(name);
  return `${isPlain ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${address}>`;
}

/** `host` or `host:port`, separated by commas. */
function hosts(example: string) {
  const host = z
    .string()
    .regex(/^[a-z0-9.-]+(:\d+)?$/, `must be a list such as ${example},${example}:8443`);
  return z
    .string()
    .transform((list) =>
      list.split(',').map((text) => text.trim().toLowerCase().replace(/:443$/, '')),
    )
    .pipe(z.array(host));
}

function vapidKeys(publicKey?: string, privateKey?: string): PushKeys | null {
  return publicKey && privateKey ? { publicKey, privateKey } : null;
}

function isKeyPair(publicKey?: string, privateKey?: string): boolean {
  if (!publicKey || !privateKey) return publicKey === privateKey;
  try {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(privateKey, 'base64url');
    return pair.getPublicKey('base64url') === publicKey;
  } catch {
    return false;
  }
}

function oneOf<const T extends readonly [string, ...string[]]>(...values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}
