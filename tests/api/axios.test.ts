import axios, { type AxiosInstance } from 'axios';
import { wrapper } from 'axios-cookiejar-support';
import { CookieJar } from 'tough-cookie';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { login, register, validateToken } from '../../shared/api/auth.ts';
import {
  capsulePageSchema,
  capsuleSchema,
  dashboardSummarySchema,
} from '../../shared/api/capsules.ts';
import { personSchema, publicProfileSchema } from '../../shared/api/community.ts';
import { messageSchema } from '../../shared/api/fields.ts';
import { currentUserSchema, recipientSchema } from '../../shared/api/user.ts';
import { addDays, dayAt } from '../../shared/day.ts';
import { XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import { capsuleForm, signUp } from '../support/client.ts';
import { clip, pdf, photo, sha256 } from '../support/fixtures.ts';
import { secretIn } from '../support/links.ts';
import { sharedServer } from '../support/server.ts';

/**
 * An axios client with nothing but its cookies. In a browser axios copies the XSRF cookie
 * into the header by itself; in Node it has no cookies to read, so the jar stands in.
 */
function axiosClient(baseURL: string): AxiosInstance {
  const jar = new CookieJar();
  const client = wrapper(axios.create({ baseURL, jar, withCredentials: true }));
  client.interceptors.request.use(async (request) => {
    const cookies = await jar.getCookies(baseURL);
    const token = cookies.find((cookie) => cookie.key === XSRF_COOKIE)?.value;
    if (token) request.headers.set(XSRF_HEADER, token);
    return request;
  });
  return client;
}

describe('every call of the specification, by a plain axios client', () => {
  const server = sharedServer();
  let ada: AxiosInstance;
  let capsuleId: string;
  let fileIds: string[];
  const account = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'engine' };

  beforeAll(async () => {
    ada = axiosClient(server.url);
    // Whatever is asked first, even in vain, hands out the first XSRF token.
    await expect(ada.get('/user/me')).rejects.toMatchObject({ response: { status: 401 } });
  });

  it('POST /auth/register [3.entities.1 7.calls.1]', async () => {
    const { status, data } = await ada.post('/auth/register', account);
    expect(status).toBe(201);
    expect(register.response?.parse(data).emailVerificationRequired).toBe(false);
  });

  it('POST /auth/login [3.entities.2 7.calls.2]', async () => {
    const { email, password } = account;
    const { status, data } = await ada.post('/auth/login', { email, password });
    expect(status).toBe(200);
    expect(login.response?.parse(data).user.email).toBe(email);
  });

  it('GET /user/me [3.entities.18 7.calls.4]', async () => {
    const { data } = await ada.get('/user/me');
    expect(currentUserSchema.parse(data)).toMatchObject({ name: account.name, bio: '' });
  });

  it('PUT /user/update-profile [7.calls.16]', async () => {
    const { data: user } = await ada.get('/user/me');
    const { data } = await ada.put('/user/update-profile', { ...user, bio: 'Poet of numbers' });
    expect(currentUserSchema.parse(data)).toEqual({ ...user, bio: 'Poet of numbers' });
  });

  it('POST /user/update-profile-photo [3.entities.19 7.calls.15]', async () => {
    const { name, bytes } = await photo();
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), name);
    const { data } = await ada.post('/user/update-profile-photo', form);
    const { avatar } = z
      .object({ avatar: z.string().check(z.startsWith('/uploads/')) })
      .parse(data);
    const picture = await ada.get(avatar, { responseType: 'arraybuffer' });
    expect(picture.headers['content-type']).toMatch(/^image\//);
    expect(Buffer.from(picture.data).includes('Exif')).toBe(false);
  });

  it('GET /community/search-profile [3.entities.20 6.roles.8 7.calls.12]', async () => {
    const { user: grace } = await signUp(server.url, 'Grace Hopper');
    const { data } = await ada.get('/community/search-profile', { params: { query: 'hopp' } });
    const people = z.array(personSchema).parse(data);
    expect(people).toMatchObject([{ userId: grace.id, name: grace.name, email: grace.email }]);
  });

  it('GET /user/search-recipient [3.entities.21 7.calls.13]', async () => {
    const { data } = await ada.get('/user/search-recipient', { params: { query: 'ada' } });
    expect(z.array(recipientSchema).parse(data)).toMatchObject([
      { email: account.email, isYou: true },
    ]);
  });

  it('GET community/public-profile [3.entities.22 6.roles.8 7.calls.19]', async () => {
    const { data: user } = await ada.get('/user/me');
    const { data } = await ada.get('community/public-profile', { params: { userId: user.id } });
    expect(publicProfileSchema.parse(data)).toMatchObject({
      name: account.name,
      createdCapsulesCount: 0,
    });
  });

  it('POST /api/capsules [3.entities.10 3.entities.11 7.calls.14]', async () => {
    const capsule = {
      title: 'For my future self',
      description: 'Three things to remember',
      dateToUnlock: addDays(dayAt(server.clock.now(), 'UTC'), 1),
      recipientEmails: [account.email],
      personalMessage: 'Do not forget the lake.',
      notifyRecipient: true,
    };
    const steps: number[] = [];
    const form = capsuleForm(capsule, [await photo(), await clip(), pdf()]);
    const { status, data } = await ada.post('/api/capsules', form, {
      onUploadProgress: ({ progress }) => steps.push(progress ?? 0),
    });
    expect(status).toBe(201);
    expect(capsuleSchema.parse(data)).toMatchObject({ locked: true, fileInfo: [], mediaCount: 3 });
    expect(steps.at(-1)).toBe(1);
    capsuleId = data.id;
  });

  it.each(['created', 'received'])(
    'GET /api/capsules/%s [3.entities.8 7.calls.5 7.calls.6]',
    async (list) => {
      const { data } = await ada.get(`/api/capsules/${list}?page=1&limit=6`);
      expect(capsulePageSchema.parse(data)).toMatchObject({
        capsules: [{ id: capsuleId, locked: true }],
        pagination: { currentPage: 1, totalPages: 1, itemsPerPage: 6, totalItems: 1 },
      });
    },
  );

  it('GET /api/capsules/dashboard-summary [7.calls.11]', async () => {
    const year = server.clock.now().getUTCFullYear();
    const { data } = await ada.get(`/api/capsules/dashboard-summary?year=${year}`);
    expect(dashboardSummarySchema.parse(data)).toMatchObject({
      totalCapsules: 1,
      createdCapsules: 1,
      receivedCapsules: 1,
      lockedCapsules: 1,
      nextUnlocks: [{ id: capsuleId, daysRemaining: 1 }],
    });
  });

  it('GET /api/capsules/{id}, before and on its day [7.calls.7]', async () => {
    const before = capsuleSchema.parse((await ada.get(`/api/capsules/${capsuleId}`)).data);
    expect(before).toMatchObject({ locked: true, personalMessage: null, fileInfo: [] });
    server.clock.advance({ days: 1 });
    const after = capsuleSchema.parse((await ada.get(`/api/capsules/${capsuleId}`)).data);
    expect(after).toMatchObject({ locked: false, personalMessage: 'Do not forget the lake.' });
    fileIds = after.fileInfo.map((file) => file.fileId);
    expect(fileIds).toHaveLength(3);
  });

  it('GET /api/capsules/download/{fileId} [7.calls.9]', async () => {
    const sent = [await photo(), await clip(), pdf()].map((file) => sha256(file.bytes));
    const received = await Promise.all(
      fileIds.map((id) => ada.get(`/api/capsules/download/${id}`, { responseType: 'arraybuffer' })),
    );
    expect(received.map((file) => file.headers['content-type'])).toEqual([
      'image/jpeg',
      'video/mp4',
      'application/pdf',
    ]);
    expect(received.map((file) => sha256(file.data))).toEqual(sent);
  });

  it('DELETE /api/capsules/{id} [7.calls.8]', async () => {
    const { status, data } = await ada.delete(`/api/capsules/${capsuleId}`);
    expect(status).toBe(200);
    expect(messageSchema.parse(data).message).not.toBe('');
    await expect(ada.get(`/api/capsules/${capsuleId}`)).rejects.toMatchObject({
      message: 'Request failed with status code 404',
      response: { data: { code: 'CAPSULE_NOT_FOUND' } },
    });
  });

  it('POST /auth/logout [7.calls.3]', async () => {
    expect((await ada.post('/auth/logout')).status).toBe(200);
    await expect(ada.get('/user/me')).rejects.toMatchObject({ response: { status: 401 } });
  });

  it('POST /auth/forgot-password, GET /auth/validate-token, POST /auth/reset-password [3.entities.23 7.calls.20 7.calls.21 7.calls.22]', async () => {
    const { email } = account;
    const sent = await ada.post('/auth/forgot-password', { email });
    expect(messageSchema.parse(sent.data)).toBeTruthy();

    const link = await server.mailedLink(email, '/auth/reset-password');
    const token = secretIn(link);
    const valid = await ada.get('/auth/validate-token', { params: { token } });
    expect(validateToken.response?.parse(valid.data)).toEqual({ valid: true });

    const password = 'difference engine';
    const reset = await ada.post(`/auth/reset-password?token=${token}`, { password });
    expect(messageSchema.parse(reset.data)).toBeTruthy();
    expect((await ada.post('/auth/login', { email, password })).status).toBe(200);
  });
});
