// `npm run drill -- <name>`: disturbs the Sluice on the cluster of kubectl's context under load, and
// looks whether anything was lost: `npm run drill -- pod-deleted --pod kafka`.
import './ensure-packages.mjs';
import process from 'node:process';
import { build } from './build.mjs';

await build();
process.setSourceMapsEnabled(true);
await import(new URL('./drills/dist/main.js', import.meta.url).href);
