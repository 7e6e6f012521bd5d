import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { capsuleFields } from '../support/capsules.ts';
import { answerOf, createClient, signUp } from '../support/client.ts';
import { startTestServer, type TestServerOptions } from '../support/server.ts';

const TOKEN = 'a token for Prometheus';

async function start(options: TestServerOptions) {
  const server = await startTestServer(options);
  onTestFinished(server.close);
  return server;
}

it('without METRICS_TOKEN there are no metrics', async () => {
  const { url } = await start({});
  const headers = { authorization: `Bearer ${TOKEN}` };
  expect((await createClient(url).get('/metrics', headers)).status).toBe(404);
});

it('count requests by route and show what waits, to who has the token', async () => {
  const server = await start({
    clock: '2030-01-01T12:00:00Z',
    config: { metricsToken: TOKEN, jobs: false, rateLimits: true },
  });
  const person = await signUp(server.url, 'Ada');
  const fields = capsuleFields(person, { dateToUnlock: '2030-01-02', notifyRecipient: true });
  const { id } = answerOf(createCapsule, await person.createCapsule(fields));
  await person.get(`/api/capsules/${id}`);
  await person.get('/nowhere');
  server.clock.set('2030-01-02T00:01:30Z');

  expect((await person.get('/metrics')).status).toBe(401);
  const wrong = { authorization: `Bearer ${TOKEN.toUpperCase()}` };
  expect((await person.get('/metrics', wrong)).status).toBe(401);
  const answer = await person.get('/metrics', { authorization: `Bearer ${TOKEN}` });
  expect(answer.status).toBe(200);
  const lines = answer.text.split('\n');
  for (const line of [
    'time_capsule_http_requests_total{method="GET",route="/api/capsules/:id",status="200"} 1',
    'time_capsule_http_requests_total{method="POST",route="/api/capsules",status="201"} 1',
    'time_capsule_http_requests_total{method="GET",route="/metrics",status="401"} 2',
    'time_capsule_http_request_duration_seconds_count{method="GET",route="/api/capsules/:id"} 1',
    'time_capsule_database_up 1',
    'time_capsule_emails{state="queued"} 1',
    'time_capsule_emails{state="failed"} 0',
  ]) {
    expect(lines).toContain(line);
  }
  const lag = Number(/^time_capsule_unlock_lag_seconds (\S+)$/m.exec(answer.text)?.[1]);
  // The clock goes on.
  expect(lag).toBeGreaterThanOrEqual(90);
  expect(lag).toBeLessThan(150);
  expect(answer.text).toContain('nodejs_eventloop_lag_p99_seconds ');
  expect(answer.text).not.toContain(id);
  expect(answer.text).not.toContain('nowhere');
});

it.each(['docs/alerts.yaml', 'docs/grafana.json', 'docs/operations-reference.md'])(
  'every figure that %s names is one of them',
  async (document) => {
    const { url } = await start({ config: { metricsToken: TOKEN } });
    const client = createClient(url);
    // Request figures begin with the first request.
    await client.get('/healthz');
    const { text } = await client.get('/metrics', { authorization: `Bearer ${TOKEN}` });
    const given: string[] = text.match(/^[a-z]\w+/gm) ?? [];
    const named =
      readFileSync(document, 'utf8').match(/\b(time_capsule|nodejs|process)_\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    // The name of a histogram alone is only in its TYPE line; its figures have endings.
    const described: string[] = text.match(/(?<=^# TYPE )\w+/gm) ?? [];
    expect(named.filter((name) => !given.includes(name) && !described.includes(name))).toEqual([]);
  },
);
