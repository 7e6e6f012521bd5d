// A Parse Server as the peer: an open server on which apps like ours are built, on the same
// PostgreSQL. Its code for the cloud does our job: a letter goes to an address, never twice for one
// request, and its message is shown from its day on. There is an index for each list, and files are
// written as durably as ours. It does less: no judging of files, no limits, and a letter with a photo
// is two calls, of which the first can stay alone.
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import postgres from 'postgres';

const { directory, folder, appId, masterKey } = JSON.parse(process.argv[2]);
// It writes its log into the folder it is loaded in.
process.chdir(directory);
const load = createRequire(join(directory, 'package.json'));
const { ParseServer } = load('parse-server');
const FileSystemAdapter = load('@parse/fs-files-adapter');
const express = load('express');

/** Its adapter for a folder, which doesn't wait for the disk by itself. */
const files = new FileSystemAdapter({ filesSubDirectory: 'peer' });
files.createFile = async (name, data) => {
  await FileSystemAdapter.prototype.createFile.call(files, name, data);
  const file = await open(files._getLocalFilePath(name));
  await file.sync();
  await file.close();
};

/** What an app on Parse Server would do for a letter. */
function code(Parse) {
  Parse.Cloud.beforeSave('Capsule', async ({ object, original, user }) => {
    if (original) return;
    const query = new Parse.Query(Parse.User).equalTo('email', object.get('recipientEmail'));
    const recipient = await query.first({ useMasterKey: true });
    if (!recipient) throw new Parse.Error(Parse.Error.OBJECT_NOT_FOUND, 'Nobody has this address.');
    const access = new Parse.ACL(user);
    access.setReadAccess(recipient, true);
    object.set({ creator: user, recipient });
    object.setACL(access);
  });
  Parse.Cloud.afterFind('Capsule', ({ objects }) => {
    for (const object of objects) {
      if (object.get('dateToUnlock') <= new Date()) continue;
      object.unset('personalMessage');
      object.unset('photo');
    }
    return objects;
  });
}

const app = express();
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const parse = new ParseServer({
  // As many connections as ours.
  databaseURI: 'postgres://postgres@localhost/peer?poolSize=10',
  databaseOptions: { host: folder },
  appId,
  masterKey,
  serverURL: `http://127.0.0.1:${port}/parse`,
  filesAdapter: files,
  allowClientClassCreation: false,
  idempotencyOptions: { paths: ['classes/Capsule'], ttl: 86_400 },
  cloud: code,
  logLevel: 'error',
  silent: true,
  schema: {
    definitions: [
      {
        className: 'Capsule',
        fields: {
          title: { type: 'String' },
          description: { type: 'String' },
          personalMessage: { type: 'String' },
          dateToUnlock: { type: 'Date' },
          creator: { type: 'Pointer', targetClass: '_User' },
          recipient: { type: 'Pointer', targetClass: '_User' },
          recipientEmail: { type: 'String' },
          photo: { type: 'File' },
        },
        classLevelPermissions: {
          find: { requiresAuthentication: true },
          count: { requiresAuthentication: true },
          get: { requiresAuthentication: true },
          create: { requiresAuthentication: true },
        },
      },
    ],
  },
});
await parse.start();
app.use('/parse', parse.app);

const sql = postgres({
  host: 'localhost',
  path: `${folder}/.s.PGSQL.5432`,
  user: 'postgres',
  database: 'peer',
  ssl: false,
  max: 1,
});
for (const column of ['creator', 'recipient']) {
  await sql`create index on "Capsule" (${sql(column)}, "createdAt")`;
}
await sql`create index on "_Session" ("sessionToken")`;
await sql.end();
process.send({ port });
