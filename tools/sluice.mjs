// `npm run --silent sluice -- …`: the operator's command line. Compiles what changed, and becomes it.
import './ensure-packages.mjs';
import process from 'node:process';
import { build } from './build.mjs';

await build();
process.setSourceMapsEnabled(true);
await import(new URL('./cli/dist/main.js', import.meta.url).href);
