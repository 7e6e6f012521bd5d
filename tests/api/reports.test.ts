import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { contributions, operatorActions, reports } from '../../server/db/schema.ts';
import { sweep } from '../../server/jobs/sweep.ts';
import { DAY_MS, REPORT_TEXT_MAX, REPORTS_A_DAY } from '../../shared/limits.ts';
import { allSent, codeOf } from '../support/addresses.ts';
import { seal } from '../support/capsules.ts';
import { expectStatus, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { newDraft, newLink, sealDraft, Writer } from '../support/contributions.ts';
import { pdf } from '../support/fixtures.ts';
import { GO_ON } from '../support/mail-world.ts';
import { runAdmin } from '../support/run-admin.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

const OPERATOR = 'operator@capsule.example';
const contact = { email: OPERATOR, links: [] };
const BEFORE = '2029-12-20T12:00:00Z';

const server = sharedServer({ clock: BEFORE, config: { contact } });
const limited = sharedServer({ clock: BEFORE, config: { contact, rateLimits: true } });
const withoutContact = sharedServer({ clock: BEFORE });

beforeEach(() => server.clock.set(BEFORE));

async function world({ url }: TestServer = server) {
  const named = (name: string) => signUp(url, `${name} ${randomUUID().slice(0, 8)}`);
  return { mallory: await named('Mallory'), grace: await named('Grace') };
}

/** What the operator was told about this, and nothing else. */
async function emailsAbout(text: string, { mailer, ...of }: TestServer = server) {
  await allSent({ mailer, ...of } as TestServer);
  return mailer.sent.filter((mail) => mail.to === OPERATOR && mail.text.includes(text));
}

const rowsOf = ({ user }: SignedIn, { deps } = server) =>
  deps.db.select().from(reports).where(eq(reports.reporterId, user.id));

const operate = (...args: string[]) => runAdmin(server, args);

/** What the operator reads in the list of the report with this in it, where the server's clock shows what it shows. */
async function listedWith(text: string): Promise<string> {
  const { lines } = await operate('reports');
  const found = lines.filter((one) => one.includes(text));
  expect(found).toHaveLength(1);
  return String(found[0]);
}

describe('a report', () => {
  it('of a sealed capsule shows the operator its outside and the words, never its contents', async () => {
    const { mallory, grace } = await world();
    const fields = { title: 'Read this', personalMessage: 'A secret threat.' };
    const { id } = await seal(mallory, grace, fields, [pdf('evidence.pdf')]);
    const text = `She goes on.\nBcc: everybody@example.org ${'她又写信了'.repeat(40)}`;
    const answer = await grace.post('/api/reports', { capsuleId: id, reason: 'threat', text });
    expectStatus(answer, 202);
    expect(answer.json).toEqual({
      message: "Thank you. We've passed it on to whoever runs this site.",
    });
    const [mail, ...others] = await emailsAbout(id);
    expect(others).toEqual([]);
    const listed = await listedWith(id);
    expect(mail?.subject).toBe('A capsule was reported: Threats or violence');
    for (const part of [
      'She goes on. Bcc: everybody',
      'Read this',
      'Opens: ',
      mallory.user.id,
      mallory.user.email,
      grace.user.id,
      grace.user.email,
      'sealed until then',
      `npm run admin -- suspend ${mallory.user.id} --reason`,
      'npm run admin -- resolve',
    ]) {
      expect(mail?.text).toContain(part);
      expect(listed.replaceAll('\n  ', ' ')).toContain(part);
    }
    expect(`${mail?.text} ${mail?.html} ${listed}`).not.toMatch(/secret threat|evidence/);
    expect(listed).toContain('When: 20 December 2029 at 12:00 UTC');
    const widths = listed.split('\n').map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(100);
    expect(await rowsOf(grace)).toMatchObject([
      { capsuleId: id, userId: mallory.user.id, reason: 'threat', text, answeredAt: null },
    ]);
  });

  it('of an opened capsule shows its contents as well', async () => {
    const { mallory, grace } = await world();
    const fields = { personalMessage: 'A secret threat.' };
    const { id } = await seal(mallory, grace, fields, [pdf('evidence.pdf')]);
    server.clock.set('2030-01-02T12:00:00Z');
    expectStatus(await grace.post('/api/reports', { capsuleId: id, reason: 'other' }), 202);
    const [mail] = await emailsAbout(id);
    expect(mail?.text).toContain('Opened: ');
    expect(mail?.text).toContain('Message: A secret threat.');
    expect(mail?.text).toMatch(/Files: evidence\.?\u2060?pdf \(application/);
    const listed = await listedWith(id);
    expect(listed).toContain('Opened: ');
    expect(listed).toContain('Message: A secret threat.');
    expect(listed).toContain('Files: evidence.pdf (application/pdf)');
  });

  it('of what somebody has added shows that part alone, once it can be read', async () => {
    const { mallory, grace } = await world();
    const draft = await newDraft(mallory);
    const token = await newLink(mallory, draft);
    const [rude, kind] = [new Writer(server.url, token), new Writer(server.url, token)];
    await rude.save(0, { name: 'Uncle', letter: 'A threat from aside.' });
    await kind.save(0, { letter: 'A blessing.' });
    const to = { recipientEmails: [grace.user.email], personalMessage: 'Dear Grace' };
    expectStatus(await sealDraft(mallory, draft, to), 201);
    const body = { contributionId: rude.id, reason: 'threat' };
    expect(codeOf(await grace.post('/api/reports', body))).toBe('CONTRIBUTION_NOT_FOUND');
    server.clock.set('2030-01-02T12:00:00Z');
    const stranger = (await world()).grace;
    expect(codeOf(await stranger.post('/api/reports', body))).toBe('CONTRIBUTION_NOT_FOUND');
    const [row] = await server.deps.db
      .select({ id: contributions.capsuleId })
      .from(contributions)
      .where(eq(contributions.id, rude.id));
    // The capsule itself is another thing, and so is another part.
    const capsuleId = String(row?.id);
    expectStatus(await grace.post('/api/reports', { capsuleId, reason: 'other' }), 202);
    expectStatus(await grace.post('/api/reports', body), 202);
    expectStatus(await grace.post('/api/reports', body), 202);
    // By whoever asked for it too.
    expectStatus(await mallory.post('/api/reports', body), 202);
    expect(await rowsOf(grace)).toMatchObject([
      { capsuleId, contributionId: null },
      { capsuleId, contributionId: rude.id, userId: mallory.user.id },
    ]);
    expect(await rowsOf(mallory)).toMatchObject([{ contributionId: rude.id, userId: null }]);
    const [mail, ...others] = await emailsAbout('A threat from aside.');
    expect(others).toEqual([]);
    expect(mail?.text).toContain('Uncle, without an account');
    expect(mail?.text).not.toMatch(/A blessing|Dear Grace/);
    const byGrace = String((await rowsOf(grace)).find((one) => one.contributionId)?.id);
    const listed = await listedWith(byGrace);
    expect(listed).toContain('Uncle, without an account');
    expect(listed).toContain('Message: A threat from aside.');
    expect(listed).toContain('\nAnswer: npm run admin -- resolve');
    expect(listed).not.toMatch(/A blessing|Dear Grace|suspend/);
  });

  it('of a person names them, and says nothing of capsules', async () => {
    const { mallory, grace } = await world();
    await seal(mallory, grace, { title: 'Unrelated' });
    const userId = mallory.user.id;
    expectStatus(await grace.post('/api/reports', { userId, reason: 'impersonation' }), 202);
    const [mail] = await emailsAbout(userId);
    expect(mail?.subject).toBe('A person was reported: Pretending to be someone else');
    expect(mail?.text).toContain(mallory.user.email);
    expect(mail?.text).not.toMatch(/Unrelated|Capsule:/);
  });

  it('that is open already is added to it, and other people get theirs without another email', async () => {
    const { mallory, grace } = await world();
    const frank = await signUp(server.url, `Frank ${randomUUID().slice(0, 8)}`);
    const userId = mallory.user.id;
    const first = await grace.post('/api/reports', { userId, reason: 'spam', text: 'First.' });
    const second = await grace.post('/api/reports', { userId, reason: 'other', text: 'Second.' });
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expectStatus(await frank.post('/api/reports', { userId, reason: 'spam' }), 202);
    expectStatus(await grace.post('/api/reports', { userId, reason: 'other' }), 202);
    const both = {
      reason: 'other',
      text: 'Second.\n\nAlso reported as “Spam or advertising”. First.',
    };
    expect(await rowsOf(grace)).toMatchObject([both]);
    expect(await rowsOf(frank)).toHaveLength(1);
    expect(await emailsAbout(userId)).toHaveLength(1);
    // Of somebody in danger the operator hears, once, and it stays a danger.
    expectStatus(await grace.post('/api/reports', { userId, reason: 'threat', text: 'T.' }), 202);
    expectStatus(await grace.post('/api/reports', { userId, reason: 'spam', text: 'Last.' }), 202);
    const [, mail, ...others] = await emailsAbout(userId);
    expect(others).toEqual([]);
    expect(mail?.subject).toContain('Threats or violence');
    const [row] = await rowsOf(grace);
    expect(row?.reason).toBe('threat');
    const listed = await listedWith(String(row?.id));
    for (const text of ['First.', 'Second.', 'T.', 'Last.']) expect(listed).toContain(text);
  });

  it('is refused of what they cannot see, of themselves, and of nothing', async () => {
    const { mallory, grace } = await world();
    const hers = await seal(mallory, mallory);
    const own = await seal(grace, mallory);
    const report = async (body: object) =>
      codeOf(await grace.post('/api/reports', { reason: 'spam', ...body }));
    expect(await report({ capsuleId: hers.id })).toBe('CAPSULE_NOT_FOUND');
    expect(await report({ capsuleId: randomUUID() })).toBe('CAPSULE_NOT_FOUND');
    expect(await report({ userId: randomUUID() })).toBe('USER_NOT_FOUND');
    const { id } = mallory.user;
    for (const body of [
      { capsuleId: own.id },
      { userId: grace.user.id },
      {},
      { capsuleId: hers.id, userId: id },
      { userId: 'nobody' },
      { userId: id, reason: 'because' },
      { userId: id, text: 'x'.repeat(REPORT_TEXT_MAX + 1) },
      { userId: id, text: 7 },
    ]) {
      expect([body, await report(body)]).toEqual([body, 'VALIDATION_FAILED']);
    }
    expect(await rowsOf(grace)).toEqual([]);
    // What somebody sends who is blocked does not exist.
    expectStatus(await grace.put(`/user/blocked/${id}`), 200);
    const unseen = await seal(mallory, grace);
    expect(await report({ capsuleId: unseen.id })).toBe('CAPSULE_NOT_FOUND');
  });

  it('is only a row where the site has no contact', async () => {
    const { mallory, grace } = await world(withoutContact);
    const userId = mallory.user.id;
    expectStatus(await grace.post('/api/reports', { userId, reason: 'spam' }), 202);
    await allSent(withoutContact);
    expect(withoutContact.mailer.sent).toEqual([]);
    expect(await rowsOf(grace, withoutContact)).toHaveLength(1);
  });

  it('floods nobody: some a day by each person, and emails to the operator by all together', async () => {
    const { mallory, grace } = await world(limited);
    const userId = mallory.user.id;
    for (let count = 0; count < REPORTS_A_DAY; count += 1) {
      expectStatus(await grace.post('/api/reports', { userId, reason: 'spam' }), 202);
    }
    expectStatus(await grace.post('/api/reports', { userId, reason: 'spam' }), 429);
    expect(await rowsOf(grace, limited)).toHaveLength(1);
    expect(await emailsAbout(userId, limited)).toHaveLength(1);
    await limited.deps.limits.tryTake('reportMail', 'all', 50);
    expectStatus(
      await mallory.post('/api/reports', { userId: grace.user.id, reason: 'spam' }),
      202,
    );
    expect(await rowsOf(mallory, limited)).toHaveLength(1);
    expect(await emailsAbout('A person was reported', limited)).toHaveLength(1);
  });
});

it('that somebody may be in danger is told, though others have reported it for less', async () => {
  const { mallory, grace } = await world();
  const { grace: ada } = await world();
  const userId = mallory.user.id;
  expectStatus(await grace.post('/api/reports', { userId, reason: 'other' }), 202);
  expectStatus(await ada.post('/api/reports', { userId, reason: 'threat' }), 202);
  expect(await emailsAbout(userId)).toHaveLength(2);
});

describe('more reports than a day allows', () => {
  const full = sharedServer({ clock: BEFORE, config: { contact, rateLimits: true } });
  const togethers = () => full.mailer.sent.filter(({ kind }) => kind === 'reports-together');
  const say = async (reason: string, text: string) => {
    const { mallory, grace } = await world(full);
    const answer = await grace.post('/api/reports', { userId: mallory.user.id, reason, text });
    expectStatus(answer, 202);
    return mallory;
  };

  it('leave room for those of somebody in danger, and are told by one email', async () => {
    const early = await world(full);
    const sayAgain = async (reason: string, text: string) => {
      const body = { userId: early.mallory.user.id, reason, text };
      expectStatus(await early.grace.post('/api/reports', body), 202);
    };
    await sayAgain('spam', 'EARLY');
    full.clock.advance({ ms: 3_600_000 });
    await full.deps.limits.tryTake('reportMail', 'all', 50);
    await say('spam', 'LATE-ONE');
    await say('child', 'REAL-ABUSE');
    expect(await emailsAbout('REAL-ABUSE', full)).toMatchObject([{ kind: 'report' }]);
    await full.deps.limits.tryTake('dangerMail', 'all', 50);
    await say('other', 'LATE-TWO');
    await say('threat', 'LATE-THREAT');
    await sayAgain('threat', 'NOW-A-THREAT');
    expect(togethers()).toEqual([]);
    full.clock.advance({ ms: 3_600_000 });
    full.deps.mailQueued();
    await allSent(full);
    const [mail, ...others] = togethers();
    expect(others).toEqual([]);
    const at = (text: string) => String(mail?.text).indexOf(text);
    expect(mail?.text).toContain('LATE-THREAT');
    expect(mail?.text).toContain('NOW-A-THREAT');
    for (const text of ['LATE-ONE', 'LATE-TWO']) {
      expect(at(text)).toBeGreaterThan(at('LATE-THREAT'));
    }
    // What comes afterwards has an email of its own.
    await say('spam', 'NEXT-HOUR');
    full.clock.advance({ ms: 3_600_000 });
    full.deps.mailQueued();
    await allSent(full);
    expect(togethers()[1]?.text).toContain('NEXT-HOUR');
    expect(togethers()[1]?.text).not.toContain('LATE-TWO');
  });

  it('reach a contact whose address a stranger has registered', async () => {
    await signUp(full.url, 'Stranger', PASSWORD, OPERATOR);
    for (const name of ['mailboxHour', 'mailboxDay', 'mailboxSpare'] as const) {
      await full.deps.limits.tryTake(name, OPERATOR, 20);
    }
    for (const counted of ['reportMail', 'dangerMail'] as const) {
      await full.deps.limits.giveBack(counted, 'all', 'all');
    }
    await say('threat', 'STILL-ARRIVES');
    expect(await emailsAbout('STILL-ARRIVES', full)).toHaveLength(1);
  });
});

describe('the answer to a report', () => {
  it('closes it, leaves a trace, and tells who reported in neutral words', async () => {
    const { mallory, grace } = await world();
    const userId = mallory.user.id;
    const text = 'First line\nreport  2029';
    expectStatus(await grace.post('/api/reports', { userId, reason: 'spam', text }), 202);
    const [row] = await rowsOf(grace);
    const id = String(row?.id);
    const listed = async () => JSON.parse((await operate('reports', '--json')).lines.join(''));
    expect((await listed()).find(({ report }: { report: string }) => report === id)).toEqual({
      report: id,
      reported: expect.stringMatching(/^2029-12-20T/),
      reason: 'Spam or advertising',
      person: mallory.user.email,
      capsule: null,
      contribution: null,
      by: grace.user.email,
      words: text,
    });
    expect(await operate('resolve', id)).toMatchObject({ ok: false });
    expect(await operate('resolve', randomUUID(), '--note', 'none')).toMatchObject({ ok: false });
    expect(await operate('resolve', 'all', '--note', 'none')).toMatchObject({ ok: false });
    const note = `Warned Mallory ${id}`;
    expect(await operate('resolve', id, '--note', note)).toMatchObject({ ok: true });
    expect(await operate('resolve', id, '--note', note)).toMatchObject({ ok: false });
    server.deps.mailQueued();
    await allSent(server);
    const answers = server.mailer.sent.filter(({ kind }) => kind === 'report-answered');
    const mine = answers.filter(({ to }) => to === grace.user.email);
    expect(mine).toHaveLength(1);
    expect(mine[0]?.subject).toBe('Your report has been looked at');
    expect(mine[0]?.text).toContain(OPERATOR);
    expect(`${mine[0]?.text}${mine[0]?.html}`).not.toMatch(/Mallory|Warned/);
    expect(await rowsOf(grace)).toMatchObject([{ note, answeredAt: expect.any(Date) }]);
    const traces = await server.deps.db.select().from(operatorActions);
    expect(traces).toContainEqual(
      expect.objectContaining({ command: 'resolve', userId, reason: note }),
    );
    // It can be reported again.
    expectStatus(await grace.post('/api/reports', { userId, reason: 'spam' }), 202);
    expect(await rowsOf(grace)).toHaveLength(2);
  });

  it('is given when either account is gone, as far as there is somebody to tell', async () => {
    const { mallory, grace } = await world();
    const leave = (person: SignedIn) =>
      person.post('/user/delete-account', { password: PASSWORD, capsules: 'destroy' });
    const both = await world();
    for (const [by, of] of [
      [grace, mallory],
      [both.grace, both.mallory],
    ] as const) {
      const body = { userId: of.user.id, reason: 'spam', text: `About ${of.user.name}` };
      expectStatus(await by.post('/api/reports', body), 202);
    }
    const [first] = await rowsOf(grace);
    const [second] = await rowsOf(both.grace);
    expectStatus(await leave(mallory), 200);
    expectStatus(await leave(both.grace), 200);
    const done = (id: unknown) => operate('resolve', String(id), '--note', 'Too late', '--json');
    const told = async (id: unknown) => JSON.parse((await done(id)).lines.join(''))[0].told;
    expect(await told(first?.id)).toBe(grace.user.email);
    expect(await told(second?.id)).toBeNull();
  });

  it('is forgotten half a year later, and a report without one after two years', async () => {
    const { mallory, grace } = await world();
    const body = { reason: 'spam' };
    expectStatus(await grace.post('/api/reports', { ...body, userId: mallory.user.id }), 202);
    const { id } = await seal(mallory, grace);
    expectStatus(await grace.post('/api/reports', { ...body, capsuleId: id }), 202);
    const [answered] = await rowsOf(grace);
    const { db } = server.deps;
    const answeredAt = new Date(BEFORE);
    await db
      .update(reports)
      .set({ answeredAt })
      .where(eq(reports.id, String(answered?.id)));
    const leftAfter = async (days: number) => {
      server.clock.set(new Date(answeredAt.getTime() + days * DAY_MS).toISOString());
      await sweep(server.deps, GO_ON);
      return (await rowsOf(grace)).length;
    };
    expect(await leftAfter(179)).toBe(2);
    expect(await leftAfter(181)).toBe(1);
    expect(await leftAfter(729)).toBe(1);
    expect(await leftAfter(731)).toBe(0);
  });
});
