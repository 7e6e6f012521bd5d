import { routePath } from 'hono/route';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { readQueues } from '../db/emails/queues.ts';
import type { Deps } from '../deps.ts';
import type { AppContext } from './context.ts';

/** From a list to a large upload, in seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600];

/** Figures of this process, and of the queues in the database, which all processes share. */
export function createMetrics({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `time_capsule_${name}`, help, labelNames, registers: [registry] });

  const requests = new Counter({
    name: 'time_capsule_http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'time_capsule_http_request_duration_seconds',
    help: 'From the head of a request to the head of its answer',
    labelNames: ['method', 'route'],
    buckets: DURATIONS,
    registers: [registry],
  });
  const up = gauge('database_up', '1 if the queues could be read');
  const emails = gauge('emails', 'Emails that are queued or were given up', 'state');
  const emailOverdue = gauge('email_overdue_seconds', 'How long the oldest due email has waited');
  const unlockLag = gauge('unlock_lag_seconds', 'How long an opened capsule was not announced');

  async function readDatabase(): Promise<void> {
    const now = clock.now();
    const queues = await readQueues(db, now).catch(() => null);
    up.set(queues ? 1 : 0);
    if (!queues) {
      // Old figures would look like new ones.
      for (const stale of [emailOverdue, unlockLag]) stale.remove();
      emails.reset();
      return;
    }
    const secondsSince = (instant: Date | null) =>
      instant ? Math.max(0, (now.getTime() - instant.getTime()) / 1_000) : 0;
    emails.set({ state: 'queued' }, queues.emailsQueued);
    emails.set({ state: 'failed' }, queues.emailsFailed);
    emailOverdue.set(secondsSince(queues.emailDueAt));
    unlockLag.set(secondsSince(queues.unlockedAt));
  }

  return {
    contentType: registry.contentType,
    /** Counts an answered request, by the pattern of its route: paths hold ids. */
    count(c: AppContext, seconds: number) {
      const labels = { method: c.req.method, route: routePath(c) };
      requests.inc({ ...labels, status: c.res.status });
      durations.observe(labels, seconds);
    },
    /** All figures in Prometheus's text format. */
    async read() {
      await readDatabase();
      return registry.metrics();
    },
  };
}
