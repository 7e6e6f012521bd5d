import { finish, loadCommand } from './operator.mjs';

const { admin } = await loadCommand('admin');
const { ok, lines, isRefusal = false } = await admin(process.env, process.argv.slice(2));
finish(ok, lines, isRefusal);
