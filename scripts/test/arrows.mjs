import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { parseSync } from 'vite';
import { isMain } from '../is-main.mjs';
import { BEHIND_ONE_FILE, DOORS, ENVIRONMENT, PACKAGES, ROOMS, TYPES_FOR_ALL } from './house.mjs';

/**
 * Every forbidden import, one line each.
 * @param {Map<string, string>} sources path from the project's root, with `/` → text
 * @returns {string[]}
 */
export function forbiddenArrows(sources) {
  const found = [];
  const graph = new Map();
  for (const [path, source] of sources) {
    if (isTest(path)) continue;
    const room = roomOf(path);
    if (!room) {
      found.push(`${path}: has no room in the house (scripts/test/house.mjs lists them)`);
      continue;
    }
    const { arrows, readsEnvironment } = readModule(path, source);
    graph.set(
      path,
      arrows.filter((arrow) => arrow.isFile).map((arrow) => arrow.target),
    );
    for (const arrow of arrows) {
      const why = arrow.isFile
        ? refusedFile(room, arrow)
        : refusedPackage(room[0], path, arrow.target);
      if (why) found.push(`${path} → ${arrow.target}: ${why}`);
    }
    if (readsEnvironment && !ENVIRONMENT.includes(path)) {
      found.push(`${path}: reads process.env; only ${ENVIRONMENT[0]} does`);
    }
  }
  return [...found, ...cycles(graph)];
}

function isTest(path) {
  return /\.(test|contract|support)\.tsx?$/.test(path);
}

function roomOf(path) {
  return ROOMS.find(([, pattern]) => pattern.test(path));
}

/** Imports, re-exports and `import()` of one module, without style sheets and other assets. */
function readModule(path, source) {
  const { module, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0].message}`);
  const requests = [
    ...module.staticImports.map((found) => ({
      request: found.moduleRequest.value,
      isType: found.entries.length > 0 && found.entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap((found) =>
      found.entries
        .filter((entry) => entry.moduleRequest)
        .map((entry) => ({ request: entry.moduleRequest.value, isType: entry.isType })),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      request: source.slice(start + 1, end - 1),
      isType: false,
    })),
  ];
  const arrows = requests
    .map(({ request, isType }) => {
      const isFile = request.startsWith('.');
      const target = isFile ? posix.join(posix.dirname(path), request) : request;
      return { target, isFile, isType };
    })
    .filter(({ target, isFile }) => !isFile || /\.tsx?$/.test(target));
  const code = comments.reduceRight(
    (text, { start, end }) => text.slice(0, start) + text.slice(end),
    source,
  );
  return { arrows, readsEnvironment: /\bprocess\s*(\.\s*env\b|\[)/.test(code) };
}

function refusedFile([name, , allowed], { target, isType }) {
  if (isType && name.startsWith('server ') && TYPES_FOR_ALL.includes(target)) return null;
  const [room] = roomOf(target) ?? ['outside the house'];
  if (room === name) return null;
  const door = DOORS.get(room);
  if (door && target !== door) return `${room} is entered by ${door}`;
  if (allowed.includes(room)) return null;
  return `${name} must not import ${room}`;
}

function refusedPackage(name, path, target) {
  if (target.startsWith('virtual:')) return null;
  for (const [owner, file] of BEHIND_ONE_FILE) {
    if (target === owner && path !== file) return `only ${file} knows it`;
  }
  return PACKAGES.find(([rooms, refused]) => rooms.test(name) && refused.test(target))?.[2] ?? null;
}

/** One line for each ring of imports, of types too: a ring of types is one room with two doors. */
function cycles(graph) {
  const found = [];
  const done = new Set();
  const walk = (path, trail) => {
    const at = trail.indexOf(path);
    if (at >= 0) found.push(`import cycle: ${[...trail.slice(at), path].join(' → ')}`);
    if (at >= 0 || done.has(path)) return;
    for (const target of graph.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  return found;
}

/** The project's source files that the rules apply to. */
function readSources() {
  const paths = ['client', 'server', 'shared'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => join(folder, path)),
  );
  return new Map(
    paths
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => [path.replaceAll(sep, '/'), readFileSync(path, 'utf8')]),
  );
}

if (isMain(import.meta.url)) {
  const sources = readSources();
  const forbidden = forbiddenArrows(sources);
  for (const line of forbidden) console.error(line);
  console.log(`arrows: ${sources.size} files, ${forbidden.length} forbidden`);
  process.exitCode = forbidden.length > 0 || sources.size === 0 ? 1 : 0;
}
