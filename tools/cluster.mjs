// `npm run cluster`: every service a process of its own, over a local Kafka and PostgreSQL. Flags
// pass through: `npm run cluster -- --instances payments=3`.
import './ensure-packages.mjs';
import process from 'node:process';
import { build } from './build.mjs';

await build();
process.setSourceMapsEnabled(true);
await import(new URL('./cluster/dist/main.js', import.meta.url).href);
