// `npm run bench`: builds what changed, then measures the sandbox between floors.
import './ensure-packages.mjs';
import { build } from './build.mjs';

await build();
await import(new URL('./bench/dist/main.js', import.meta.url).href);
