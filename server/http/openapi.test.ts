import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';

test.each([
  ['get', '/user/me', ['400', '401', '429', '503']],
  ['post', '/user/update-profile-photo', ['400', '401', '403', '413', '415', '429', '503']],
  ['get', '/community/public-profile', ['400', '404', '429', '503']],
])('%s %s names every refusal that a caller may meet', (method, path, statuses) => {
  const { paths } = openApiDocument('https://capsule.example') as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  const answers = Object.keys(paths[path]?.[method]?.responses ?? {});
  expect(answers.sort()).toEqual(['200', ...statuses]);
});

test('a day is a date, in what is asked and in what is answered', () => {
  const document = JSON.stringify(openApiDocument('https://capsule.example'));
  const days = document.match(/"(dateToUnlock|unlockDate)":\{[^}]*\}/g) ?? [];
  expect(days.length).toBeGreaterThan(3);
  // A draft may have none yet.
  const isDraft = (day: string) => day.includes('"maxLength":10');
  expect(days.filter((day) => !isDraft(day) && !day.includes('"format":"date"'))).toEqual([]);
});
