import { finish, loadCommand } from './operator.mjs';

const { backup } = await loadCommand('backup');
const { ok, lines } = await backup(process.env, process.argv[2]);
finish(ok, lines);
