import process from 'node:process';
import { Definitions } from './definitions.js';
import {
  findKustomize,
  installKustomize,
  KustomizeMissing,
  requireKustomize,
} from './kustomize.js';
import { checkedOverlay } from './overlay-check.js';
import { overlays } from './rendered-overlay.js';

try {
  if (process.argv.includes('--install-missing') && (await findKustomize()) === undefined) {
    console.log(
      'Neither kubectl nor kustomize is here; kustomize is built, which takes some minutes.',
    );
    await installKustomize();
  }
  process.exitCode = (await check()) ? 0 : 1;
} catch (error) {
  if (!(error instanceof KustomizeMissing)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** Renders and checks every overlay; prints what is wrong, and whether nothing is. */
async function check(): Promise<boolean> {
  const { name, render } = await requireKustomize();
  const definitions = new Definitions();
  let problems = 0;
  for (const overlay of overlays) {
    const { objects, problems: found } = await checkedOverlay(overlay, render, definitions);
    console.log(`${overlay}: ${objects} objects by "${name}", ${found.length} problems`);
    for (const problem of found) console.log(`  ${problem}`);
    problems += found.length;
  }
  return problems === 0;
}
