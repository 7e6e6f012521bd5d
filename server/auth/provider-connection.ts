import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import { AppError } from '../app-error.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { ClaimError } from './provider-errors.ts';

/*
 * How the identity provider is reached: what it says about itself, where its secret may go, and in which
 * of two ways it takes the secret.
 */

export type ProviderSettings = NonNullable<Config['identityProvider']>;

/** A person is waiting. */
const TIMEOUT_SECONDS = 5;
/** For so long a description counts. */
const ASKED_AGAIN_MS = 10_000;
/** Far more than any answer of a provider has. */
const ANSWER_MAX_BYTES = 256 * 1024;

/** Loaded when somebody first signs in by the provider. */
export const library = () => import('openid-client');

/** @throws NOT_FOUND where there is no provider */
export function settingsOf({ config }: Pick<Deps, 'config'>): ProviderSettings {
  if (!config.identityProvider) throw new AppError('NOT_FOUND');
  return config.identityProvider;
}

/** What a provider has said about itself last. */
const known = new WeakMap<ProviderSettings, { at: number; metadata: ServerMetadata }>();
/** Who is being asked in this moment: strangers who press the button at once ask it once. */
const asked = new WeakMap<ProviderSettings, Promise<ServerMetadata>>();

/** What the provider says about itself at this moment. While it is away, nobody is sent there. */
export function askProvider(settings: ProviderSettings): Promise<ServerMetadata> {
  const asking = asked.get(settings) ?? discover(settings).finally(() => asked.delete(settings));
  asked.set(settings, asking);
  return asking;
}

async function describedBy(settings: ProviderSettings): Promise<ServerMetadata> {
  const last = known.get(settings);
  // Measured by the process alone: it is about the network, not about days.
  const isFresh = last && performance.now() - last.at < ASKED_AGAIN_MS;
  return isFresh ? last.metadata : askProvider(settings);
}

async function discover(settings: ProviderSettings): Promise<ServerMetadata> {
  const client = await library();
  const found = await client.discovery(
    new URL(settings.issuer),
    settings.clientId,
    undefined,
    undefined,
    {
      timeout: TIMEOUT_SECONDS,
      [client.customFetch]: fetchBounded,
      ...(isLocal(settings) && { execute: [client.allowInsecureRequests] }),
    },
  );
  const metadata = found.serverMetadata();
  checkHosts(settings, metadata);
  known.set(settings, { at: performance.now(), metadata });
  return metadata;
}

/** Where our secret, a person's token and the keys of their proof go to, or come from. */
const ENDPOINTS = ['token_endpoint', 'userinfo_endpoint', 'jwks_uri'] as const;

/** Further hosts of providers that have several, by that of their issuer, as their documents name them. */
const HOSTS: Record<string, string[]> = {
  'accounts.google.com': [
    'oauth2.googleapis.com',
    'openidconnect.googleapis.com',
    'www.googleapis.com',
  ],
  'login.microsoftonline.com': ['graph.microsoft.com'],
};

/**
 * The provider's own host, or one that the operator knows of: whoever writes the description names no
 * other. @throws ClaimError
 */
export function checkHosts(
  { issuer, hosts }: Pick<ProviderSettings, 'issuer' | 'hosts'>,
  metadata: Pick<ServerMetadata, (typeof ENDPOINTS)[number]>,
): void {
  const { hostname: own } = new URL(issuer);
  const allowed = [...(HOSTS[own] ?? []), ...hosts];
  for (const endpoint of ENDPOINTS) {
    const url = metadata[endpoint];
    if (url === undefined) continue;
    const { hostname, host } = new URL(url);
    if (hostname === own || allowed.includes(host)) continue;
    throw new ClaimError(
      'An endpoint is on another host. If it is the provider’s, name it in OIDC_HOSTS.',
      {
        ...{ claim: endpoint, expected: [own, ...allowed].join(' or '), found: host },
      },
    );
  }
}

/** A connection with keys of its own, so that none are kept that the provider has replaced. */
export async function connect(
  settings: ProviderSettings,
  authentication?: ClientAuth,
): Promise<Configuration> {
  const client = await library();
  const metadata = await describedBy(settings);
  const { clientId } = settings;
  const provider = new client.Configuration(metadata, clientId, undefined, authentication);
  provider.timeout = TIMEOUT_SECONDS;
  provider[client.customFetch] = fetchBounded;
  client.enableNonRepudiationChecks(provider);
  if (isLocal(settings)) client.allowInsecureRequests(provider);
  return provider;
}

/**
 * Calls the provider with the secret. Some register a client for one way alone, and some compare the
 * Basic header as it is, where the standard encodes `+`, `/` and `=`: who doesn't know the client gets the
 * secret in the form, with the same code, which none uses up before it knows the client.
 */
export async function withSecret<Result>(
  settings: ProviderSettings,
  call: (provider: Configuration) => Promise<Result>,
): Promise<Result> {
  const { ClientSecretBasic, ClientSecretPost } = await library();
  const { clientSecret } = settings;
  const { token_endpoint_auth_methods_supported: said } = await describedBy(settings);
  const isPostOnly = said?.includes('client_secret_basic') === false;
  const way = isPostOnly ? ClientSecretPost : ClientSecretBasic;
  try {
    return await call(await connect(settings, way(clientSecret)));
  } catch (error) {
    if (isPostOnly || !isUnknownClient(error)) throw error;
    return call(await connect(settings, ClientSecretPost(clientSecret)));
  }
}

/** Beside the word for it, a status, which is all that is left where the answer has a header of its own. */
function isUnknownClient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ('error' in error && error.error === 'invalid_client') ||
    ('status' in error && error.status === 401)
  );
}

/** On this machine, to try it out; the settings take no other one without https. */
function isLocal({ issuer }: ProviderSettings): boolean {
  return issuer.startsWith('http:');
}

/** No answer may be larger, or trickle in for longer than the signal of the call allows. */
async function fetchBounded(url: string, options: object): Promise<Response> {
  const response = await fetch(url, options);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > ANSWER_MAX_BYTES) throw new Error('The answer of the provider is too large.');
    parts.push(part);
  }
  const { status, statusText, headers } = response;
  return new Response(size === 0 ? null : Buffer.concat(parts), { status, statusText, headers });
}
