import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { FILM_HEAD } from '../support/film.mjs';
import { capsuleFor } from '../support/person.mjs';

/** What the server says when it has not got so far yet, or not now. */
const LATER = ['IDEMPOTENCY_KEY_IN_PROGRESS', 'RATE_LIMITED', 'UNAVAILABLE', 'BUSY'];
const RETRY_MS = 250;

export function film(bytes) {
  const content = randomBytes(bytes);
  FILM_HEAD.copy(content);
  return content;
}

/**
 * One request to create a capsule with `files` times a film, or of uploads; other fields replace
 * those of a capsule to oneself. @throws without an answer
 */
export async function create(url, person, sent) {
  const { key = randomUUID(), content, files = content ? 1 : 0, ...fields } = sent;
  const form = new FormData();
  const capsule = { ...capsuleFor(person.email), ...fields };
  form.append('capsule', new Blob([JSON.stringify(capsule)], { type: 'application/json' }));
  for (let number = 0; number < files; number += 1) {
    form.append('files', new Blob([content], { type: 'video/mp4' }), `film-${number}.mp4`);
  }
  const headers = { ...person.headers(), 'Idempotency-Key': key };
  return answerOf(await fetch(`${url}/api/capsules`, { method: 'POST', headers, body: form }));
}

/** `code` is null when the answer is not our server's, such as a page of nginx. */
export async function answerOf(response) {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const json = isJson ? JSON.parse(text) : null;
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    code: json?.code ?? null,
    isOurs: isJson === true,
    json,
  };
}

/**
 * Creates a capsule as the app does (`client/sync/upload-capsule`): after silence, or an answer
 * that is not our server's, it asks under the same key whether the capsule has arrived, and sends
 * it again only if not.
 * @returns `cuts`, the requests that got no answer of our server; `wasFound`, whether a request
 * without an answer had created it; `answers`, all answers of our server
 */
export async function createUntilSealed(url, person, title, content) {
  const key = randomUUID();
  const result = { title, cuts: 0, wasFound: false, answers: [] };
  let mayHaveArrived = false;
  for (;;) {
    const asked = mayHaveArrived ? { uploads: [randomUUID()] } : { content };
    const startedAt = performance.now();
    const answer = await create(url, person, { title, key, ...asked }).catch(() => null);
    if (!answer?.isOurs) {
      result.cuts += 1;
      mayHaveArrived = true;
      await pause(RETRY_MS);
      continue;
    }
    result.answers.push({ ...answer, ms: performance.now() - startedAt });
    if (answer.status === 201) return result;
    if (answer.code === 'IDEMPOTENCY_KEY_REUSED') return { ...result, wasFound: true };
    if (answer.code === 'UPLOAD_NOT_FOUND') mayHaveArrived = false;
    // A 503 in the middle of the commit may stand for a capsule that exists.
    else if (answer.status >= 500) mayHaveArrived = true;
    else if (!LATER.includes(answer.code)) throw new Error(`${answer.status} ${answer.code}`);
    if (answer.code !== 'UPLOAD_NOT_FOUND') {
      await pause(answer.retryAfter ? Number(answer.retryAfter) * 1000 : RETRY_MS);
    }
  }
}
