// `npm run k8s:secrets`: makes the keys, certificates and passwords of the local overlay, where git
// ignores them. Flags pass through: `npm run k8s:secrets -- --renew edge`.
import './ensure-packages.mjs';
import { build } from './build.mjs';

await build();
await import(new URL('./k8s-secrets/dist/main.js', import.meta.url).href);
