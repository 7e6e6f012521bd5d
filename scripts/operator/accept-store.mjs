import { finish, loadCommand, options } from './operator.mjs';

options(
  'npm run store:accept: says that these files belong to this database from now on, and to no other',
  {},
);
const { acceptStoreOfDatabase } = await loadCommand('accept-store');
const { ok, line } = await acceptStoreOfDatabase(process.env);
finish(ok, [line]);
