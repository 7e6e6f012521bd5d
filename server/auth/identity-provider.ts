import type { Configuration, ServerMetadata } from 'openid-client';
import { AppError } from '../app-error.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';
import type { OidcState } from './oidc-state.ts';

/*
 * The site's identity provider, by OpenID Connect. It is asked over and over whether it is there, so that
 * nobody is sent to one that is away. What it says is checked by its signature as well, with its keys of
 * this moment, so that it can change them at any time.
 */

type ProviderDeps = Pick<Deps, 'config' | 'log'>;
type Settings = NonNullable<Config['identityProvider']>;

/** Where the provider sends browsers back to. It has to be registered there. */
export const CALLBACK_PATH = '/auth/oidc/callback';

/** A person is waiting. */
const TIMEOUT_SECONDS = 5;
/** Far more than any answer of a provider has. */
const ANSWER_MAX_BYTES = 256 * 1024;
/** The longest that OpenID Connect allows. */
const SUBJECT_MAX = 255;
/** How fresh a sign-in at the provider is that counts in place of a password. */
const FRESH_SECONDS = 5 * 60;
/** Strangers who press the button make us ask it this often at most. */
const ASKED_AGAIN_MS = 10_000;

/** Loaded when somebody first signs in by the provider. */
const library = () => import('openid-client');

/** Who somebody is at the provider. */
export interface ProviderAnswer {
  issuer: string;
  subject: string;
  /** What it says about them, asked for only where it is needed. @throws PROVIDER_AWAY, PROVIDER_REFUSED */
  profile(): Promise<ProviderProfile>;
}

export interface ProviderProfile {
  email: string | null;
  /** Whether the provider says that the address is theirs. */
  isVerified: boolean;
  name: string | null;
}

/** The one of the settings, as identities name it. @throws NOT_FOUND where there is none */
export function issuerOf({ config }: Pick<Deps, 'config'>): string {
  return new URL(settingsOf(config).issuer).href;
}

/**
 * The address of the provider's sign-in page for this state. @throws PROVIDER_AWAY, also after a few
 * seconds without an answer; PROVIDER_REFUSED for one that says that it is another
 */
export async function signInUrl(
  deps: ProviderDeps,
  { state, secrets }: { state: OidcState; secrets: { verifier: string; nonce: string } },
): Promise<string> {
  return inOurWords(deps, async () => {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
    const url = buildAuthorizationUrl(await connect(deps), {
      redirect_uri: redirectUri(deps),
      scope: 'openid email profile',
      state: state.id,
      nonce: secrets.nonce,
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      // Whoever holds an unlocked device may be signed in at the provider as well.
      ...(state.purpose === 'confirm' && { prompt: 'login', max_age: '0' }),
    });
    return url.href;
  });
}

/**
 * Exchanges what the provider has sent the browser back with. @param search of that address
 * @throws PROVIDER_AWAY; PROVIDER_REFUSED where the person has cancelled, and for an answer that is not
 * for this state, not for us, not signed by the provider, or of another one
 */
export async function readAnswer(
  deps: ProviderDeps,
  { state, secrets }: { state: OidcState; secrets: { verifier: string; nonce: string } },
  search: string,
): Promise<ProviderAnswer> {
  return inOurWords(deps, async () => {
    const { authorizationCodeGrant, fetchUserInfo } = await library();
    const provider = await connect(deps);
    const tokens = await authorizationCodeGrant(
      provider,
      new URL(`${redirectUri(deps)}${search}`),
      {
        expectedState: state.id,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      },
    );
    const claims = tokens.claims();
    if (!claims) throw new Error('There is no ID token.');
    const { iss, sub } = claims;
    if (new URL(iss).href !== issuerOf(deps)) throw new Error('Another issuer has answered.');
    if (sub.length === 0 || sub.length > SUBJECT_MAX) throw new Error('The subject is too long.');
    // Some providers don't say when it was. They were asked to ask again.
    const age = claims.auth_time === undefined ? 0 : claims.iat - claims.auth_time;
    if (state.purpose === 'confirm' && age > FRESH_SECONDS) {
      throw new Error('The provider has not asked again who it is.');
    }
    return {
      issuer: issuerOf(deps),
      subject: sub,
      profile: () =>
        inOurWords(deps, async () => {
          const { userinfo_endpoint: more } = provider.serverMetadata();
          // The address and whether it is theirs come from the same place.
          const says =
            claims.email === undefined && more
              ? await fetchUserInfo(provider, tokens.access_token, sub)
              : claims;
          return {
            email: typeof says.email === 'string' ? says.email : null,
            isVerified: says.email_verified === true,
            name: [says.name, says.preferred_username].find(isText) ?? null,
          };
        }),
    };
  });
}

const isText = (said: unknown): said is string => typeof said === 'string' && said.trim() !== '';

function settingsOf({ identityProvider }: Config): Settings {
  if (!identityProvider) throw new AppError('NOT_FOUND');
  return identityProvider;
}

function redirectUri({ config }: Pick<Deps, 'config'>): string {
  return config.appUrl + CALLBACK_PATH;
}

/** What a provider has said about itself, or is being asked; by its settings. */
const known = new WeakMap<Settings, { at: number; metadata: Promise<ServerMetadata> }>();

/** A connection with keys of its own, so that none are kept that the provider has replaced. */
async function connect({ config }: Pick<Deps, 'config'>): Promise<Configuration> {
  const settings = settingsOf(config);
  const { clientId, clientSecret } = settings;
  const client = await library();
  const metadata = await describedBy(settings);
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authenticate = methods.includes('client_secret_basic')
    ? client.ClientSecretBasic
    : client.ClientSecretPost;
  const provider = new client.Configuration(
    metadata,
    clientId,
    undefined,
    authenticate(clientSecret),
  );
  provider.timeout = TIMEOUT_SECONDS;
  provider[client.customFetch] = fetchBounded;
  client.enableNonRepudiationChecks(provider);
  if (isLocal(settings)) client.allowInsecureRequests(provider);
  return provider;
}

function describedBy(settings: Settings): Promise<ServerMetadata> {
  const before = known.get(settings);
  // Measured by the process alone: it is about the network, not about days.
  const at = performance.now();
  if (before && at - before.at < ASKED_AGAIN_MS) return before.metadata;
  const metadata = discover(settings);
  known.set(settings, { at, metadata });
  // Whoever waits for it is told. A next one asks again.
  metadata.catch(() => known.delete(settings));
  return metadata;
}

async function discover(settings: Settings): Promise<ServerMetadata> {
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
  return found.serverMetadata();
}

/** On this machine, to try it out; the settings take no other one without https. */
function isLocal({ issuer }: Settings): boolean {
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

/** The library's errors are about protocols. What they say goes into the log. */
async function inOurWords<Result>(
  { log }: Pick<Deps, 'log'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const client = await library();
    if (error instanceof client.AuthorizationResponseError) {
      log.info(
        { error: error.error.slice(0, 40) },
        'The identity provider has sent somebody back.',
      );
      throw new AppError('PROVIDER_REFUSED', { cause: error });
    }
    const isAway = isOutage(error);
    log.warn(
      { error: describeError(error) },
      isAway ? 'The identity provider does not answer.' : 'The identity provider was not believed.',
    );
    throw new AppError(isAway ? 'PROVIDER_AWAY' : 'PROVIDER_REFUSED', { cause: error });
  }
}

/** No answer in time, or one that is no answer of a provider, as of a proxy before it. */
const OUTAGES = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Of `fetch`, with the failure of the network in it.
  if (error instanceof TypeError) return error.cause !== undefined;
  return 'code' in error && OUTAGES.includes(String(error.code));
}
