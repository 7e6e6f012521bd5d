import { describe, expect, it } from 'vitest';
import { isPushEndpoint } from './endpoint.ts';

const MORE = ['push.example', 'localhost:8443'];

describe('isPushEndpoint', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://eu.updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-am3p.notify.windows.com/w/?token=abc',
    'https://push.example/abc',
    'https://localhost:8443/abc',
  ])('%s is one', (endpoint) => {
    expect(isPushEndpoint(endpoint, MORE)).toBe(true);
  });

  it.each([
    '',
    'nonsense',
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/fcm/send/abc',
    'https://user@fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com.evil.example/abc',
    'https://evilfcm.googleapis.com/abc',
    'https://evil.example/fcm.googleapis.com',
    'https://fcm.googleapis.com@evil.example/abc',
    'https://push.apple.com.evil.example/abc',
    'https://evilpush.apple.com/abc',
    'https://127.0.0.1/abc',
    'https://[::1]/abc',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/abc',
    'https://localhost/abc',
    'https://localhost:8444/abc',
    'https://push.example:8443/abc',
    'https://FCM.googleapis.com/fcm/send/abc',
    ' https://fcm.googleapis.com/fcm/send/abc',
  ])('%s is none [33.push.3]', (endpoint) => {
    expect(isPushEndpoint(endpoint, MORE)).toBe(false);
  });
});
