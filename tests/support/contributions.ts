import { randomBytes, randomUUID } from 'node:crypto';
import {
  type ContributionFile,
  getContribution,
  makeContributionLink,
  saveContribution,
  startContributionUpload,
} from '../../shared/api/contributions.ts';
import { saveAccountDraft } from '../../shared/api/drafts.ts';
import { uploadStateSchema } from '../../shared/api/uploads.ts';
import {
  CONTRIBUTION_SECRET_HEADER,
  CONTRIBUTION_TOKEN_HEADER,
  IDEMPOTENCY_HEADER,
  UPLOAD_OFFSET_HEADER,
} from '../../shared/limits.ts';
import { capsuleFields } from './capsules.ts';
import {
  type Answer,
  answerOf,
  createClient,
  expectStatus,
  type Sent,
  type SignedIn,
  type TestClient,
} from './client.ts';
import type { FixtureFile } from './fixtures.ts';

/** Saves a draft to the account. */
export async function newDraft(
  by: SignedIn,
  title = 'For Mia, 18',
  dateToUnlock = '',
): Promise<string> {
  const id = randomUUID();
  const fields = {
    ...{ title, description: '', personalMessage: 'Dear Mia', recipients: [] },
    ...{ dateToUnlock, notifyRecipient: false },
  };
  const content = { fields, files: [] };
  answerOf(saveAccountDraft, await by.put(`/api/drafts/${id}`, { base: 0, content }));
  return id;
}

export const linkPath = (draft: string) => `/api/drafts/${draft}/contribution-link`;

/** Makes the link of a draft. @returns its token */
export async function newLink(by: SignedIn, draft: string, change = {}): Promise<string> {
  return answerOf(makeContributionLink, await by.post(linkPath(draft), change)).token;
}

/** Seals a draft of the account as it is there. */
export function sealDraft(
  by: SignedIn,
  draft: string,
  change = {},
  files: FixtureFile[] = [],
): Promise<Answer> {
  const seen = { id: draft, revision: Number.MAX_SAFE_INTEGER };
  const fields = capsuleFields(by, { dateToUnlock: '2030-01-01', draft: seen, ...change });
  return by.createCapsule(fields, files, { [IDEMPOTENCY_HEADER]: draft });
}

/** As a contribution names it. */
export const namedFile = ({ name, type, bytes }: FixtureFile): ContributionFile => ({
  ...{ id: randomUUID(), name, type },
  bytes: bytes.length,
});

/** Somebody without an account, on a device of their own. */
export class Writer {
  readonly id = randomUUID();
  readonly secret = randomBytes(32).toString('base64url');
  readonly path = `/api/contributions/${this.id}`;
  readonly token: string;
  private readonly client: TestClient;
  private readonly headers: Record<string, string>;
  private isKnown = false;

  constructor(url: string, token = '', headers: Record<string, string> = {}) {
    this.token = token;
    this.headers = headers;
    this.client = createClient(url);
  }

  async request(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    // Hands out the first XSRF token, as loading the page does in a browser.
    if (!this.isKnown) await this.client.get('/api/limits', this.headers);
    this.isKnown = true;
    const headers = {
      ...this.headers,
      [CONTRIBUTION_TOKEN_HEADER]: this.token,
      [CONTRIBUTION_SECRET_HEADER]: this.secret,
    };
    return this.client.request(method, path, { ...sent, headers: { ...headers, ...sent.headers } });
  }

  open = () => this.request('GET', '/api/contribution-link');

  put(base: number, change: object = {}): Promise<Answer> {
    const json = { base, name: 'Grandpa', letter: 'A blessing', files: [], ...change };
    return this.request('PUT', this.path, { json });
  }

  async save(base: number, change: object = {}): Promise<number> {
    return answerOf(saveContribution, await this.put(base, change)).revision;
  }

  async own() {
    return answerOf(getContribution, await this.request('GET', this.path));
  }

  start({ id, name, bytes }: ContributionFile): Promise<Answer> {
    const json = { fileName: name, bytes };
    return this.request('POST', `${this.path}/uploads/${id}`, { json });
  }

  send({ id }: ContributionFile, bytes: Buffer, start = 0): Promise<Answer> {
    const headers = {
      'content-type': 'application/partial-upload',
      [UPLOAD_OFFSET_HEADER]: String(start),
    };
    const body = new Uint8Array(bytes);
    return this.request('PATCH', `${this.path}/uploads/${id}`, { body, headers });
  }

  async upload(file: ContributionFile, bytes: Buffer): Promise<void> {
    answerOf(startContributionUpload, await this.start(file));
    const state = uploadStateSchema.parse(expectStatus(await this.send(file, bytes), 200).json);
    if (!state.complete) throw new Error('The upload is not complete.');
  }
}
