// `npm run fuzz`: builds what changed, then lets a foreign fuzzer loose on a sandbox, by the OpenAPI
// document alone. `npm run fuzz -- --seconds 60` is a short run.
import './ensure-packages.mjs';
import { build } from './build.mjs';

await build();
await import(new URL('./interface-fuzz/dist/schema-main.js', import.meta.url).href);
