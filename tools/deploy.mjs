// `npm run deploy:local`: the local overlay on the cluster of kubectl's context. Flags pass through:
// `npm run deploy:local -- --seed channels.json`.
import './ensure-packages.mjs';
import process from 'node:process';
import { build } from './build.mjs';

await build();
process.setSourceMapsEnabled(true);
await import(new URL('./deploy/dist/main.js', import.meta.url).href);
