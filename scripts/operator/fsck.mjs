import { finish, loadCommand, options } from './operator.mjs';

const given = options('npm run fsck -- [--quick] [--accept-loss --reason <text>]', {
  quick: { type: 'boolean', default: false },
  'accept-loss': { type: 'boolean', default: false },
  reason: { type: 'string' },
});
const { fsck } = await loadCommand('fsck');
const { ok, lines } = await fsck(process.env, {
  quick: given.quick,
  acceptLoss: given['accept-loss'],
  reason: given.reason,
});
finish(ok, lines);
