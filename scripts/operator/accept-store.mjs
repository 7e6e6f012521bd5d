import { finish, loadCommand, options } from './operator.mjs';

options(
  'npm run store:accept: says that these files belong to this database from now on, and to no other',
  {},
);
const { acceptStoreOfDatabase } = await loadCommand('accept-store');
const { ok, lines } = await acceptStoreOfDatabase(process.env);
finish(ok, lines);
