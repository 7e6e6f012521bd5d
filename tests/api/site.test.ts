import { expect, it } from 'vitest';
import { getContact } from '../../shared/api/site.ts';
import { visit } from '../support/addresses.ts';
import { answerOf, signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { unzip } from '../support/unzip.ts';

const NAME = 'The Müllers & Co.';
const server = sharedServer({
  config: {
    siteName: NAME,
    contact: {
      email: 'family@capsules.example',
      links: [],
      imprintUrl: 'https://capsules.example/imprint',
      termsUrl: null,
    },
  },
});

it('an app learns what the site is called, and where its own pages are', async () => {
  const visitor = await visit(server.url);
  expect(answerOf(getContact, await visitor.get('/api/contact'))).toEqual({
    email: 'family@capsules.example',
    links: [],
    name: NAME,
    registration: 'open',
    imprintUrl: 'https://capsules.example/imprint',
    termsUrl: null,
  });
});

it('emails and exports are in the name of the site', async () => {
  const ada = await signUp(server.url, 'Ada');
  await ada.post('/auth/forgot-password', { email: ada.user.email });
  await server.mailedLink(ada.user.email, '/auth/reset-password');
  const [mail] = server.mailer.sent;
  expect(mail?.text).toContain(`--\n${NAME}\n`);
  expect(mail?.html).toContain('>The Müllers &amp; Co.</td>');
  const page = (await unzip((await ada.get('/user/export')).bytes)).get('index.html');
  expect(String(page)).toContain('Saved from The Müllers &amp; Co. on');
});
