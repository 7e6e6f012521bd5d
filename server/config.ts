import { resolve } from 'node:path';
import { z } from 'zod';
import { FILE_MAX_MB_DEFAULT, STORAGE_LIMIT_MB_DEFAULT } from '../shared/limits.ts';

const flag = z.enum(['on', 'off']).transform((value) => value === 'on');
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const environmentSchema = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    HOST: z.string().default('localhost'),
    DATA_DIR: z.string().default('./data'),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
      .optional(),
    APP_URL: httpUrl.optional(),
    RESEND_API_KEY: z.string().optional(),
    RESEND_BASE_URL: httpUrl.optional(),
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
      .optional(),
    MAIL_FROM: z.string().default('Time Capsule <no-reply@localhost>'),
    EMAIL_VERIFICATION: flag.optional(),
    STORAGE_LIMIT_MB: z.coerce.number().positive().default(STORAGE_LIMIT_MB_DEFAULT),
    MAX_FILE_MB: z.coerce.number().positive().default(FILE_MAX_MB_DEFAULT),
    PASSWORD_POLICY: z.enum(['documented', 'strict']).default('documented'),
    S3_ENDPOINT: httpUrl.optional(),
    S3_BUCKET: z.string().min(3).optional(),
    S3_REGION: z.string().default('auto'),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
    /** How many proxies stand in front; 0 believes no forwarded header. */
    TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .default('info'),
  })
  .refine((env) => !(env.RESEND_API_KEY && env.SMTP_URL), {
    path: ['SMTP_URL'],
    error: 'cannot be set together with RESEND_API_KEY',
  });

/** What the environment says, with types, defaults and nothing left to look up. */
export interface Config {
  host: string;
  port: number;
  dataDir: string;
  /** Null: the embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** The public origin, without a slash at its end; used in every mailed link. */
  appUrl: string;
  secureCookies: boolean;
  mail:
    | { provider: 'resend'; apiKey: string; baseUrl: string | null }
    | { provider: 'smtp'; url: string }
    | { provider: 'folder' };
  mailFrom: string;
  emailVerification: boolean;
  storageLimitMB: number;
  maxFileMB: number;
  passwordPolicy: 'documented' | 'strict';
  trustedProxies: number;
  /** Off only in tests and benches, which call faster than people do. */
  rateLimits: boolean;
  logLevel: string;
}

/** A wrong environment value; the message is one line that names it. */
export class ConfigError extends Error {}

/**
 * The only reader of the environment, and pure: the same variables give the same configuration.
 * An empty variable counts as not set.
 * @throws ConfigError on a wrong value.
 */
export function getConfig(environment: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(set);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    throw new ConfigError(
      `${name} is not usable: ${issue?.message} (it is "${printable(name, set[name])}").`,
    );
  }
  const env = parsed.data;
  if (env.S3_ENDPOINT || env.S3_BUCKET) {
    throw new ConfigError('S3_ENDPOINT is set, but this version keeps files in DATA_DIR only.');
  }
  const appUrl = new URL(env.APP_URL ?? `http://localhost:${env.PORT}`).origin;
  const mail = mailConfig(env);
  return {
    host: env.HOST,
    port: env.PORT,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    appUrl,
    secureCookies: appUrl.startsWith('https:'),
    mail,
    mailFrom: env.MAIL_FROM,
    emailVerification: env.EMAIL_VERIFICATION ?? mail.provider !== 'folder',
    storageLimitMB: env.STORAGE_LIMIT_MB,
    maxFileMB: env.MAX_FILE_MB,
    passwordPolicy: env.PASSWORD_POLICY,
    trustedProxies: env.TRUST_PROXY,
    rateLimits: true,
    logLevel: env.LOG_LEVEL,
  };
}

function mailConfig(env: z.output<typeof environmentSchema>): Config['mail'] {
  if (env.RESEND_API_KEY) {
    return { provider: 'resend', apiKey: env.RESEND_API_KEY, baseUrl: env.RESEND_BASE_URL ?? null };
  }
  if (env.SMTP_URL) return { provider: 'smtp', url: env.SMTP_URL };
  return { provider: 'folder' };
}

/** A wrong secret must not land in a terminal or a log. */
function printable(name: string, value: string | undefined): string {
  return /KEY|SECRET|URL/.test(name) ? '…' : String(value).slice(0, 80);
}
