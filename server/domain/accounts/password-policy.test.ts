import { describe, expect, it } from 'vitest';
import { checkPasswordPolicy } from './password-policy.ts';

const email = 'Clementine.Okafor@example.org';
const check = (password: string, passwordPolicy: 'strict' | 'documented' = 'strict') =>
  checkPasswordPolicy({ passwordPolicy, siteName: 'Time Capsule' }, { password, email });

describe('PASSWORD_POLICY=strict', () => {
  it.each([
    'aaaaaaaa',
    '🕰️🕰️🕰️🕰️🕰️🕰️',
    'abababab',
    'abcdabcd',
    '........',
    '- - - - - -',
    '_._._._._._.',
    '........1',
    '.....ab.....',
    '!!!!!!!!!!!!',
    '11112222',
    'xxxxxxxxy',
    'ab!ab!ab!ab',
    'mnopqrstu',
    '9 8 7 6 5 4 3 2',
    '\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301',
    'letmein123',
    'LetMeIn2027!',
    'iloveyou1',
    '123dragon99',
    'Sunshine 2025',
    'monkey___1987',
    'Time Capsule',
    'time-capsule-2027',
    'TimeCapsule1!',
    'ｐａｓｓｗｏｒｄ１',
    'clementine.okafor',
    'clementineokafor1',
    'Clementine.Okafor@example.org',
  ])('refuses %s', async (password) => {
    await expect(check(password)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await check(password, 'documented');
  });

  it.each([
    'a quiet place',
    'correct horse',
    'zwölf Tannen',
    '7f3kq0vz',
    '1.2.1987 k',
    '... und dann?',
    'ein Brief an morgen',
    '8 lanterns',
  ])('takes %s', async (password) => {
    await check(password);
  });
});
