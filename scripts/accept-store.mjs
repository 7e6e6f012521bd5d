import { finish, loadCommand, options } from './operator.mjs';

options('npm run store:accept: takes these files as those of this database', {});
const { acceptStoreOfDatabase } = await loadCommand('accept-store');
const { ok, line } = await acceptStoreOfDatabase(process.env);
finish(ok, [line]);
