import { parseArgs } from 'node:util';
import { finish, loadCommand } from './operator.mjs';

const { move } = await loadCommand('move');
const { values } = parseArgs({ options: { to: { type: 'string' }, files: { type: 'string' } } });
const { ok, lines } = await move(process.env, values);
finish(ok, lines);
