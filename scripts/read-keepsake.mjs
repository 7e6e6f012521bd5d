#!/usr/bin/env node
/*
 * Opens an export of Time Capsule, lists what is in it and checks that it is whole. Written from
 * docs/format.md alone, with nothing but Node: this file can be copied and still works.
 */
import { createHash } from 'node:crypto';
import { createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { crc32, createInflateRaw } from 'node:zlib';

const USAGE = `node read-keepsake.mjs ARCHIVE.zip [--letters] [--json]
  Lists the capsules and checks every file. Ends with 1 when the archive is not whole.
  --letters prints the letters too, --json everything as JSON`;

/** @returns {Map<string, any>} the entries of a ZIP by name, from its central directory */
function listEntries(file) {
  const { size } = fstatSync(file);
  const tail = readAt(file, Math.max(0, size - 65_557), size);
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (at < 0) throw new Error('it has no end. The download may have been cut off');
  let count = tail.readUInt16LE(at + 10);
  let start = tail.readUInt32LE(at + 16);
  // The 20 bytes before say where the Zip64 record is.
  if (count === 0xffff || start === 0xffffffff) {
    const record = Number(tail.readBigUInt64LE(at - 12));
    const zip64 = readAt(file, record, record + 56);
    [count, start] = [32, 48].map((field) => Number(zip64.readBigUInt64LE(field)));
  }
  const directory = readAt(file, start, size - tail.length + at);
  const entries = new Map();
  for (let from = 0; entries.size < count; ) {
    if (directory.readUInt32LE(from) !== 0x02014b50) throw new Error('its directory is damaged');
    const short = (field) => directory.readUInt16LE(from + field);
    const extraStart = from + 46 + short(28);
    const extraEnd = extraStart + short(30);
    const large = zip64Numbers(directory.subarray(extraStart, extraEnd));
    // In this order, and only those that are all ones.
    const [, stored, offset] = [24, 20, 42].map((field) => {
      const number = directory.readUInt32LE(from + field);
      return number === 0xffffffff ? large.shift() : number;
    });
    entries.set(directory.toString('utf8', from + 46, extraStart), {
      method: short(10),
      crc: directory.readUInt32LE(from + 16),
      stored,
      offset,
    });
    from = extraEnd + short(32);
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

function readAt(file, from, to) {
  const bytes = Buffer.alloc(to - from);
  if (readSync(file, bytes, { position: from }) < to - from) throw new Error('it ends too early');
  return bytes;
}

/** The bytes of an entry, unpacked. @returns {Readable} */
function openEntry(path, file, { method, stored, offset }) {
  const local = readAt(file, offset, offset + 30);
  const start = offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  if (stored === 0) return Readable.from([]);
  const stream = createReadStream(path, { start, end: start + stored - 1 });
  if (method === 0) return stream;
  if (method !== 8) throw new Error(`it is packed in a way (${method}) that format 1 doesn't have`);
  // The stream that is returned fails as well, which is enough.
  return pipeline(stream, createInflateRaw(), () => {});
}

/** @returns what is in the archive, and what is wrong with it, one sentence each */
async function readKeepsake(path) {
  const file = openSync(path, 'r');
  const entries = listEntries(file);
  const json = entries.get('time-capsule.json');
  if (!json) throw new Error('it has no time-capsule.json');
  const content = JSON.parse(await text(openEntry(path, file, json)));
  if (content.format !== 1) throw new Error(`its format is ${content.format}, and this reads 1`);
  const problems = [];
  for (const [name, entry] of entries) {
    try {
      const hash = createHash('sha256');
      let crc = 0;
      for await (const piece of openEntry(path, file, entry)) {
        crc = crc32(piece, crc);
        hash.update(piece);
      }
      entry.sha256 = hash.digest('hex');
      if (crc !== entry.crc) problems.push(`${name} is damaged`);
    } catch (error) {
      problems.push(`${name} can't be read: ${error.message}`);
    }
  }
  const lost = new Set(content.lost.map(({ fileId }) => fileId));
  for (const { path: name, sha256 } of content.files.filter(({ fileId }) => !lost.has(fileId))) {
    if (!entries.has(name)) problems.push(`${name} is missing`);
    else if (entries.get(name).sha256 !== sha256) problems.push(`${name} doesn't match its hash`);
  }
  return { ...content, problems };
}

function print({ account, exportedAt, created, received, files, lost, problems }, withLetters) {
  console.log(`${account.name}, ${exportedAt.slice(0, 10)}`);
  // A capsule to oneself is in both lists.
  const byId = new Map([...created, ...received].map((capsule) => [capsule.id, capsule]));
  const capsules = [...byId.values()].sort((a, b) => a.unlockAt.localeCompare(b.unlockAt));
  for (const capsule of capsules) {
    const { locked, dateToUnlock, title, senderName, fileInfo, personalMessage } = capsule;
    console.log(`\n${locked ? 'opens' : 'opened'} ${dateToUnlock}  ${title}\n  from ${senderName}`);
    for (const { fileId, fileName } of fileInfo) {
      console.log(`  ${files.find((one) => one.fileId === fileId)?.path ?? fileName}`);
    }
    if (withLetters && personalMessage) console.log(`\n${personalMessage}`);
  }
  console.log('');
  for (const { path, why } of lost) console.log(`Lost before the export: ${path} (${why})`);
  for (const problem of problems) console.log(`Not whole: ${problem}.`);
  const whole = files.length - lost.length;
  if (!problems.length) console.log(`Whole: ${whole} file${whole === 1 ? ' matches' : 's match'}.`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { letters: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
});
const [path] = positionals;
process.exitCode = values.help ? 0 : 1;
if (values.help || !path) console.log(USAGE);
else {
  try {
    const keepsake = await readKeepsake(path);
    if (values.json) console.log(JSON.stringify(keepsake, null, 2));
    else print(keepsake, values.letters);
    if (!keepsake.problems.length) process.exitCode = 0;
  } catch (error) {
    console.error(`${path} can't be read: ${error.message}.`);
  }
}
