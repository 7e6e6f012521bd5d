import { describe, expect, it } from 'vitest';
import { checkHosts } from './provider-connection.ts';

const GOOGLE = {
  token_endpoint: 'https://oauth2.googleapis.com/token',
  userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
};
const MICROSOFT = 'https://login.microsoftonline.com/a-tenant/v2.0';

const check = (issuer: string, metadata: Parameters<typeof checkHosts>[1], hosts: string[] = []) =>
  checkHosts({ issuer, hosts }, metadata);

describe('the endpoints of a provider', () => {
  it('are on its own host, or where its documents say', () => {
    check('https://id.example/realms/a', { token_endpoint: 'https://id.example/token' });
    check('https://id.example', { token_endpoint: 'https://id.example:8443/token' });
    check('https://accounts.google.com', GOOGLE);
    check(MICROSOFT, { userinfo_endpoint: 'https://graph.microsoft.com/oidc/userinfo' });
    check('https://id.example', { jwks_uri: 'https://keys.example/a' }, ['keys.example']);
  });

  it.each([
    ['https://id.example', { token_endpoint: 'https://evil.example/token' }],
    ['https://id.example', { token_endpoint: 'https://id.example.evil.example/token' }],
    ['https://id.example', { userinfo_endpoint: 'https://me.id.example/' }],
    ['https://id.example', GOOGLE],
    ['https://accounts.google.com.evil.example', GOOGLE],
    [MICROSOFT, GOOGLE],
  ])('%s has none elsewhere', (issuer, metadata) => {
    expect(() => check(issuer, metadata)).toThrow('OIDC_HOSTS');
  });
});
