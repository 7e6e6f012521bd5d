import { finish, loadCommand } from './operator.mjs';

const { fsck } = await loadCommand('fsck');
const { ok, lines } = await fsck(process.env, {
  quick: process.argv.includes('--quick'),
  deleteOrphaned: process.argv.includes('--delete-orphaned'),
});
finish(ok, lines);
