#!/usr/bin/env node
/*
 * Opens an export of Time Capsule, lists what is in it and checks that it is whole. Written from
 * docs/format.md alone, with nothing but Node: this file can be copied and still works.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { crc32, createInflateRaw } from 'node:zlib';

const USAGE = `node read-keepsake.mjs ARCHIVE.zip [--letters] [--json]
  Lists the capsules and checks every file. Ends with 1 when the archive is not whole.
  --letters  prints the letters too
  --json     prints everything as JSON`;

const ALL_ONES = 0xffffffff;

/** @returns {Promise<Map<string, object>>} the entries of a ZIP by name, from its central directory */
async function listEntries(file, size) {
  const tail = await readAt(file, Math.max(0, size - 65_557), size);
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (at < 0) throw new Error('it has no end. The download may have been cut off');
  let count = tail.readUInt16LE(at + 10);
  let bytes = tail.readUInt32LE(at + 12);
  let start = tail.readUInt32LE(at + 16);
  if (count === 0xffff || bytes === ALL_ONES || start === ALL_ONES) {
    // The 20 bytes before say where the Zip64 record is.
    const record = Number(tail.readBigUInt64LE(at - 12));
    const zip64 = await readAt(file, record, record + 56);
    count = Number(zip64.readBigUInt64LE(32));
    bytes = Number(zip64.readBigUInt64LE(40));
    start = Number(zip64.readBigUInt64LE(48));
  }
  const directory = await readAt(file, start, start + bytes);
  const entries = new Map();
  for (let from = 0; entries.size < count; ) {
    if (directory.readUInt32LE(from) !== 0x02014b50) throw new Error('its directory is damaged');
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(from + field),
    );
    const extraStart = from + 46 + nameBytes;
    const end = extraStart + extraBytes + commentBytes;
    const large = zip64Numbers(directory.subarray(extraStart, extraStart + extraBytes));
    // In this order, and only those that are all ones.
    const [, stored, offset] = [24, 20, 42].map((field) => {
      const number = directory.readUInt32LE(from + field);
      return number === ALL_ONES ? large.shift() : number;
    });
    entries.set(directory.toString('utf8', from + 46, extraStart), {
      method: directory.readUInt16LE(from + 10),
      crc: directory.readUInt32LE(from + 16),
      stored,
      offset,
    });
    from = end;
  }
  return entries;
}

/** The numbers of the Zip64 extra field (id 1), if there is one. */
function zip64Numbers(extra) {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const count = Math.floor(extra.readUInt16LE(at + 2) / 8);
    return Array.from({ length: count }, (_, n) => Number(extra.readBigUInt64LE(at + 4 + n * 8)));
  }
  return [];
}

async function readAt(file, from, to) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  if (bytesRead < to - from) throw new Error('it ends too early');
  return buffer;
}

/** The bytes of an entry, unpacked. */
async function openEntry(path, file, { method, stored, offset }) {
  const local = await readAt(file, offset, offset + 30);
  const start = offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  if (stored === 0) return [];
  const stream = createReadStream(path, { start, end: start + stored - 1 });
  if (method === 0) return stream;
  if (method !== 8) throw new Error(`it is packed in a way (${method}) that format 1 doesn't have`);
  const inflate = createInflateRaw();
  stream.on('error', (error) => inflate.destroy(error));
  return stream.pipe(inflate);
}

/** @returns what is in the archive, and what is wrong with it, one sentence each */
async function readKeepsake(path) {
  const file = await open(path);
  try {
    const entries = await listEntries(file, (await file.stat()).size);
    const json = entries.get('time-capsule.json');
    if (!json) throw new Error('it has no time-capsule.json');
    const content = JSON.parse(await text(await openEntry(path, file, json)));
    if (content.format !== 1) throw new Error(`its format is ${content.format}, and this reads 1`);
    const problems = [];
    const hashes = new Map();
    for (const [name, entry] of entries) {
      try {
        const hash = createHash('sha256');
        let crc = 0;
        for await (const piece of await openEntry(path, file, entry)) {
          crc = crc32(piece, crc);
          hash.update(piece);
        }
        hashes.set(name, hash.digest('hex'));
        if (crc !== entry.crc) problems.push(`${name} is damaged`);
      } catch (error) {
        problems.push(`${name} can't be read: ${error.message}`);
      }
    }
    const lost = new Set(content.lost.map(({ fileId }) => fileId));
    for (const { path: name, fileId, sha256 } of content.files) {
      if (lost.has(fileId)) continue;
      if (!entries.has(name)) problems.push(`${name} is missing`);
      else if (hashes.get(name) !== sha256) problems.push(`${name} doesn't match its hash`);
    }
    return { ...content, problems };
  } finally {
    await file.close();
  }
}

/** Both lists as one, each capsule once, in the order of their opening days. */
function capsulesOf({ created, received }) {
  const byId = new Map([...created, ...received].map((capsule) => [capsule.id, capsule]));
  return [...byId.values()].sort((a, b) => a.unlockAt.localeCompare(b.unlockAt));
}

function print({ account, exportedAt, files, lost, problems, ...lists }, withLetters) {
  console.log(`${account.name}, ${exportedAt.slice(0, 10)}`);
  for (const capsule of capsulesOf(lists)) {
    const { locked, dateToUnlock, title, senderName, fileInfo, personalMessage } = capsule;
    const state = locked ? 'opens' : 'opened';
    console.log(`\n${state} ${dateToUnlock}  ${title}\n  from ${senderName}`);
    for (const { fileId, fileName } of fileInfo) {
      console.log(`  ${files.find((one) => one.fileId === fileId)?.path ?? fileName}`);
    }
    if (withLetters && personalMessage) console.log(`\n${personalMessage}`);
  }
  console.log('');
  for (const { path, why } of lost) console.log(`Lost before the export: ${path} (${why})`);
  for (const problem of problems) console.log(`Not whole: ${problem}.`);
  const whole = files.length - lost.length;
  if (problems.length === 0)
    console.log(`Whole: ${whole} file${whole === 1 ? ' matches' : 's match'}.`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { letters: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
});
const [path] = positionals;
if (values.help || !path) {
  console.log(USAGE);
  process.exitCode = values.help ? 0 : 1;
} else {
  try {
    const keepsake = await readKeepsake(path);
    if (values.json) console.log(JSON.stringify(keepsake, null, 2));
    else print(keepsake, values.letters);
    if (keepsake.problems.length > 0) process.exitCode = 1;
  } catch (error) {
    console.error(`${path} can't be read: ${error.message}.`);
    process.exitCode = 1;
  }
}
