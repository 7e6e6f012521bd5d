import { finish, loadCommand, options } from './operator.mjs';

const given = options('npm run move -- --to postgres://… (or a folder) [--files s3|disk]', {
  to: { type: 'string' },
  files: { type: 'string' },
});
const { move } = await loadCommand('move');
const { ok, lines } = await move(process.env, given);
finish(ok, lines);
