import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';
import type { OidcState } from './oidc-state.ts';
import { askProvider, connect, library, settingsOf, withSecret } from './provider-connection.ts';
import { ClaimError, inOurWords } from './provider-errors.ts';

/*
 * The site's identity provider, by OpenID Connect. It is asked whether it is there before anybody is sent
 * there. What it says is checked by its signature as well, with its keys of this moment, so that it can
 * change them at any time.
 */

type ProviderDeps = Pick<Deps, 'config' | 'log'>;

/** Where the provider sends browsers back to. It has to be registered there. */
export const CALLBACK_PATH = '/auth/oidc/callback';

/** The longest that OpenID Connect allows. */
const SUBJECT_MAX = 255;
/** How fresh a sign-in at the provider is that counts in place of a password. */
const FRESH_SECONDS = 5 * 60;

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
export function issuerOf(deps: Pick<Deps, 'config'>): string {
  return new URL(settingsOf(deps).issuer).href;
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
    const settings = settingsOf(deps);
    const { prompt_values_supported: prompts } = await askProvider(settings);
    const asksAgain = Array.isArray(prompts) && prompts.includes('login');
    const url = buildAuthorizationUrl(await connect(settings), {
      redirect_uri: redirectUri(deps),
      scope: 'openid email profile',
      state: state.id,
      nonce: secrets.nonce,
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      // What the browser may leave out. `readAnswer` decides by what the provider has signed.
      ...(state.purpose === 'confirm' && { max_age: String(FRESH_SECONDS) }),
      ...(state.purpose === 'confirm' && asksAgain && { prompt: 'login' }),
    });
    return url.href;
  });
}

/**
 * Exchanges what the provider has sent the browser back with. @param search of that address
 * @throws PROVIDER_AWAY; PROVIDER_REFUSED where the person has cancelled, and for an answer that is not
 * for this state, not for us, not signed by the provider, of another one, or, where somebody shows who
 * they are, without a time of their sign-in there, or with one of more than a few minutes ago
 */
export async function readAnswer(
  deps: ProviderDeps,
  { state, secrets }: { state: OidcState; secrets: { verifier: string; nonce: string } },
  search: string,
): Promise<ProviderAnswer> {
  return inOurWords(deps, async () => {
    const { authorizationCodeGrant } = await library();
    const tokens = await withSecret(settingsOf(deps), (provider) =>
      authorizationCodeGrant(provider, new URL(`${redirectUri(deps)}${search}`), {
        expectedState: state.id,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
        ...(state.purpose === 'confirm' && { maxAge: FRESH_SECONDS }),
      }),
    );
    const claims = tokens.claims();
    if (!claims) throw new Error('There is no ID token.');
    const { iss, sub } = claims;
    const issuer = issuerOf(deps);
    if (new URL(iss).href !== issuer) {
      const said = { claim: 'iss', expected: issuer, found: iss };
      throw new ClaimError('Another issuer has answered.', said);
    }
    if (sub.length === 0 || sub.length > SUBJECT_MAX) {
      const said = { claim: 'sub', expected: `1 to ${SUBJECT_MAX} characters`, found: sub.length };
      throw new ClaimError('The subject is no subject.', said);
    }
    const { access_token: token } = tokens;
    return {
      issuer,
      subject: sub,
      profile: () => inOurWords(deps, async () => profileOf(deps, claims, { token, sub })),
    };
  });
}

type Claims = Record<string, unknown>;

/**
 * What the ID token says about somebody, and where that is not all, what the provider says when it is
 * asked once more: many put no more into a token than who it is.
 */
async function profileOf(
  deps: ProviderDeps,
  claims: Claims,
  { token, sub }: { token: string; sub: string },
): Promise<ProviderProfile> {
  const isWhole = isText(claims.email) && typeof claims.email_verified === 'boolean';
  const more = isWhole && nameIn(claims) ? {} : await askMore(deps, claims, { token, sub });
  const places = [claims, more];
  const email = places.map((place) => place.email).find(isText) ?? null;
  // Whether an address is theirs counts only of where it is named, and one no is enough.
  const verdicts = places
    .filter((place) => place.email === email)
    .map((place) => place.email_verified);
  return {
    email,
    isVerified: verdicts.includes(true) && !verdicts.includes(false),
    name: nameIn(claims) ?? nameIn(more),
  };
}

async function askMore(
  deps: ProviderDeps,
  claims: Claims,
  { token, sub }: { token: string; sub: string },
): Promise<Claims> {
  const { fetchUserInfo } = await library();
  const provider = await connect(settingsOf(deps));
  if (!provider.serverMetadata().userinfo_endpoint) return {};
  try {
    return await fetchUserInfo(provider, token, sub);
  } catch (error) {
    // Without an address there is no account. With one, it is confirmed by our email.
    if (!isText(claims.email)) throw error;
    deps.log.warn({ error: describeError(error) }, 'The identity provider says no more.');
    return {};
  }
}

const nameIn = (claims: Claims) => [claims.name, claims.preferred_username].find(isText) ?? null;

const isText = (said: unknown): said is string => typeof said === 'string' && said.trim() !== '';

function redirectUri({ config }: Pick<Deps, 'config'>): string {
  return config.appUrl + CALLBACK_PATH;
}
