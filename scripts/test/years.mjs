import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const USAGE = `npm run years [-- --seed 1] [--people 10000] [--years 20]
  Simulates an instance over many years: addresses die, the email provider changes twice, there are
  six outages and two moves of host. Says how many capsules reached their people.`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    people: { type: 'string', default: '10000' },
    years: { type: 'string', default: '20' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'years'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      PROOFS_SEED: values.seed,
      YEARS_PEOPLE: values.people,
      YEARS_YEARS: values.years,
    },
  },
);
process.exit(status ?? 1);
