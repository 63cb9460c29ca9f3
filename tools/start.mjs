// `npm start`: the sandbox. Installs what is missing, compiles what changed, and becomes the
// sandbox itself: no second process, so that signals and exit codes are the sandbox's own.
// Flags pass through: `npm start -- --port 9090`.
import { isWriteRefusal, refuseForeign } from './ensure-packages.mjs';
import process from 'node:process';
import { build } from './build.mjs';
import { workspaceRoot } from './projects.mjs';

await build().catch((/** @type {unknown} */ error) => {
  if (!isWriteRefusal(error)) throw error;
  refuseForeign(workspaceRoot, 'Sluice has not been compiled since its last change');
});
process.setSourceMapsEnabled(true);
await import(new URL('../apps/sandbox/dist/main.js', import.meta.url).href);
