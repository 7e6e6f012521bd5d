import { finish, loadCommand } from './operator.mjs';

const { acceptClock } = await loadCommand('accept-clock');
const { ok, line } = await acceptClock(process.env);
finish(ok, [line]);
