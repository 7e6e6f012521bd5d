import { finish, loadCommand } from './operator.mjs';

const { acceptStoreOfDatabase } = await loadCommand('accept-store');
const { ok, line } = await acceptStoreOfDatabase(process.env);
finish(ok, [line]);
