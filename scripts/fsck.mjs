import { finish, loadCommand, options } from './operator.mjs';

const given = options('npm run fsck -- [--quick] [--delete-orphaned]', {
  quick: { type: 'boolean', default: false },
  'delete-orphaned': { type: 'boolean', default: false },
});
const { fsck } = await loadCommand('fsck');
const { ok, lines } = await fsck(process.env, {
  quick: given.quick,
  deleteOrphaned: given['delete-orphaned'],
});
finish(ok, lines);
