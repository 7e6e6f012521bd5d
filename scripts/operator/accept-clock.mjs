import { finish, loadCommand, options } from './operator.mjs';

options('npm run clock:accept: accepts the clock of this machine as right', {});
const { acceptClock } = await loadCommand('accept-clock');
const { ok, lines } = await acceptClock(process.env);
finish(ok, lines);
