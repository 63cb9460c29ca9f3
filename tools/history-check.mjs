// `npm run test:history`: builds what changed, then disturbs a sandbox under load and judges what its
// merchants saw. `npm run test:history -- --seconds 60` is a short run.
import './ensure-packages.mjs';
import process from 'node:process';
import { build } from './build.mjs';

await build();
process.setSourceMapsEnabled(true);
await import(new URL('./history-check/dist/main.js', import.meta.url).href);
