import { finish, loadCommand } from './operator.mjs';

const { admin } = await loadCommand('admin');
const { ok, lines } = await admin(process.env, process.argv.slice(2));
finish(ok, lines);
