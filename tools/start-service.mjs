// One service as a process of its own: `npm run start -w apps/vault`. Installs what is missing,
// compiles what changed, and becomes the service itself: no second process, so that signals and exit
// codes are the service's own. Where everything is built, `node apps/vault/dist/main.js` is the same.
import './ensure-packages.mjs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { build } from './build.mjs';

const entry = process.argv[2];
if (entry === undefined) {
  process.stderr.write('Say which: node tools/start-service.mjs apps/<name>/dist/main.js\n');
  process.exit(2);
}
await build();
process.setSourceMapsEnabled(true);
await import(pathToFileURL(resolve(entry)).href);
