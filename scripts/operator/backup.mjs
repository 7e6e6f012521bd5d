import { finish, loadCommand } from './operator.mjs';

const { backup } = await loadCommand('backup');
const { ok, line } = await backup(process.env, process.argv[2]);
finish(ok, [line]);
