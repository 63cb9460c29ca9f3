import process from 'node:process';
import { Definitions } from './definitions.js';
import {
  findKustomize,
  installKustomize,
  KustomizeMissing,
  requireKustomize,
} from './kustomize.js';
import { ownRules } from './own-rules.js';
import { overlays, renderedOverlay } from './rendered-overlay.js';

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
    const manifests = await renderedOverlay(overlay, render);
    const found = [
      ...manifests.objects.flatMap((object) => definitions.problemsOf(object)),
      ...Object.entries(ownRules).flatMap(([sentence, rule]) =>
        rule(manifests).map((problem) => `${problem} [${sentence}]`),
      ),
    ];
    console.log(
      `${overlay}: ${manifests.objects.length} objects by "${name}", ${found.length} problems`,
    );
    for (const problem of found) console.log(`  ${problem}`);
    problems += found.length;
  }
  return problems === 0;
}
