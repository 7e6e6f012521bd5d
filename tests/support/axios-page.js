// Runs in a page that has loaded axios' own browser build, and knows nothing of the app.

globalThis.sealAndDelete = async ({ account, dateToUnlock }) => {
  const api = globalThis.axios.create({ baseURL: '/', withCredentials: true });
  const steps = [];
  const step = async (name, call) => {
    const { status, data } = await call;
    steps.push([name, status]);
    return data;
  };

  const visitor = await api.get('/user/me').catch((error) => error.response);
  steps.push(['me, not signed in', visitor.status]);
  await step('register', api.post('/auth/register', account));
  await step('login', api.post('/auth/login', account));
  const user = await step('me', api.get('/user/me'));
  await step('profile', api.put('/user/update-profile', { ...user, bio: 'By axios' }));

  const form = new FormData();
  const capsule = {
    title: 'By axios',
    description: 'Unchanged',
    dateToUnlock,
    recipientEmails: [account.email],
    personalMessage: 'Hello',
    notifyRecipient: false,
  };
  form.append('capsule', new Blob([JSON.stringify(capsule)], { type: 'application/json' }));
  const { id } = await step('create', api.post('/api/capsules', form));
  await step('delete', api.delete(`/api/capsules/${id}`));
  await step('logout', api.post('/auth/logout'));
  const refused = await api.get('/user/me').catch((error) => error.response);
  steps.push(['me, signed out', refused.status]);
  return steps;
};
