// `npm run monitoring`: a configuration of Prometheus for the local cluster, and a check of every
// panel's queries against a Prometheus. `npm run monitoring -- --help`
import './ensure-packages.mjs';
import process from 'node:process';
import { build } from './build.mjs';

await build();
process.setSourceMapsEnabled(true);
await import(new URL('./monitoring/dist/main.js', import.meta.url).href);
