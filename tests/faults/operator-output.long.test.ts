import { expect, test } from 'vitest';
import { startNameServer } from '../support/name-server.ts';
import { runOperatorCommand } from '../support/operator-command.ts';

const admin = (...args: string[]) => runOperatorCommand('admin', args);

test('what a check found is on standard output, also when it is not good', async () => {
  const dns = await startNameServer({ 'example.org': ['v=spf1 include:amazonses.com ~all'] });
  const check = ['email-domain', 'example.org', '--dns', dns];
  const found = await admin(...check, '--json');
  expect(found).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(found.stdout)).toMatchObject([
    { record: 'SPF', state: 'good' },
    { record: 'DKIM', state: 'missing' },
    { record: 'DMARC', state: 'missing' },
  ]);
  const printed = await admin(...check);
  expect(printed).toMatchObject({ code: 1, stderr: '' });
  expect(printed.stdout).toMatch(/^DKIM +missing/m);
});

test('a refusal is on standard error alone', async () => {
  expect(await admin('email-test', 'nobody', '--json')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'This is not an email address: "nobody"\nUsage: npm run admin -- email-test <address>\n',
  });
});
