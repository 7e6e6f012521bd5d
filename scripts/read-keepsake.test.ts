import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { unzip } from '../tests/support/unzip.ts';

const FIXTURES = 'tests/fixtures';
/** Archives of every version of the format, with what is read from them. They are never changed. */
const KEPT = {
  'keepsake-1/whole.json': 'dadd24c97bc60cdeebea3d6d24d95257b62b462f37c7fda51fc965a9a29f7675',
  'keepsake-1/whole.zip': '3040fc65fe79f09eca29661ad805d27d59064f95e5e7e4496b0e835fb31fec6c',
  'keepsake-1/with-losses.json': '449edb897fc189e111a810bca11d22a245fe8399aafc9cc00401b3e42e622e02',
  'keepsake-1/with-losses.zip': '7754571b5d03186e5a296770f7feaab8a353e8d910086f752a50f4b58411f1ef',
};
const archives = readdirSync(FIXTURES)
  .filter((folder) => folder.startsWith('keepsake-'))
  .flatMap((folder) =>
    readdirSync(join(FIXTURES, folder)).map((name) => join(FIXTURES, folder, name)),
  )
  .filter((path) => path.endsWith('.zip'));

const folder = mkdtempSync(join(tmpdir(), 'read-keepsake-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(path: string, ...options: string[]) {
  const command = ['scripts/read-keepsake.mjs', path, ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

it.each(Object.entries(KEPT))('%s is what it was when its version came out', (name, hash) => {
  const bytes = readFileSync(join(FIXTURES, name));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash);
});

it.each(archives)('%s is read, and is whole [35.keepsake.5]', (path) => {
  const { status, stdout } = read(path, '--json');
  expect(JSON.parse(stdout)).toEqual(
    JSON.parse(readFileSync(path.replace(/zip$/, 'json'), 'utf8')),
  );
  expect(status).toBe(0);
});

it('lists what is in an archive, with its letters', () => {
  const { stdout } = read('tests/fixtures/keepsake-1/with-losses.zip', '--letters');
  expect(stdout).toContain('opened 2029-12-24  For your eighteenth birthday');
  expect(stdout).toContain('when you read this you will be eighteen.');
  expect(stdout).toContain('opens 2047-01-01  For your wedding');
  expect(stdout).toMatch(/Lost before the export: .*IMG_0412\.HEIC \(missing\)/);
  expect(stdout).toContain('Whole: 1 file matches.');
});

/** A copy of an archive with some of its bytes changed. */
function damaged(change: (bytes: Buffer) => Buffer): string {
  const path = join(folder, 'damaged.zip');
  writeFileSync(path, change(readFileSync('tests/fixtures/keepsake-1/whole.zip')));
  return path;
}

it('reads an archive whose places need 64 bits, as those of more than 4 GB do', async () => {
  const large = new ZipFile();
  const entries = await unzip(readFileSync('tests/fixtures/keepsake-1/whole.zip'));
  for (const [name, bytes] of entries) large.addBuffer(bytes, name, { forceZip64Format: true });
  large.end({ forceZip64Format: true, comment: '' });
  const bytes = await buffer(large.outputStream);
  expect(read(damaged(() => bytes))).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Whole: 3 files match.'),
  });
});

it('names a file that was damaged afterwards', () => {
  const { status, stdout } = read(
    damaged((bytes) => {
      bytes.writeUInt8(bytes.readUInt8(500) ^ 1, 500);
      return bytes;
    }),
  );
  expect(status).toBe(1);
  expect(stdout).toMatch(/Not whole: .*01 Grandma_ _at the lake_ 100% #1_\.jpg is damaged\./);
});

it('is short enough to be understood at once: 150 lines', () => {
  const lines = readFileSync('scripts/read-keepsake.mjs', 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(150);
});

it('says it of an archive that was cut off, and of what is none', () => {
  const cut = read(damaged((bytes) => bytes.subarray(0, -200)));
  expect(cut).toMatchObject({ status: 1, stdout: '' });
  expect(cut.stderr).toContain("can't be read: it has no end. The download may have been cut off.");
  expect(read('package.json')).toMatchObject({ status: 1, stdout: '' });
});
