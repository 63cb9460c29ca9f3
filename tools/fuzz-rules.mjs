// `npm run fuzz:rules`: builds what changed, then asks a sandbox for its verdict on generated
// requests and compares it with the interface's own.
import './ensure-packages.mjs';
import { build } from './build.mjs';

await build();
await import(new URL('./interface-fuzz/dist/rules-main.js', import.meta.url).href);
