import { parsed, wishOf } from '@sluice/command-line';
import { Command } from 'commander';
import process from 'node:process';
import { Definitions } from './definitions.js';
import {
  findKustomize,
  installKustomize,
  KustomizeMissing,
  requireKustomize,
} from './kustomize.js';
import { checkedOverlay } from './overlay-check.js';
import { optionalComponents, overlays } from './rendered-overlay.js';

function described(): Command {
  return new Command('npm run manifests --')
    .description(
      "Renders every overlay of k8s/ and checks what comes out, against the definitions of Kubernetes and the operators and against Sluice's own rules.",
    )
    .option('--install-missing', 'builds kustomize first where neither it nor kubectl is');
}

interface Wish {
  readonly installMissing?: true;
}

const wish = wishOf(
  parsed<Wish>({
    command: described(),
    words: process.argv.slice(2),
    read: (command) => ({ kind: 'wish', wish: command.opts<Wish>() }),
  }),
);
if (wish !== undefined) await run(wish);

async function run({ installMissing }: Wish): Promise<void> {
  try {
    if (installMissing === true && (await findKustomize()) === undefined) {
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
}

/** Renders and checks every overlay; prints what is wrong, and whether nothing is. */
async function check(): Promise<boolean> {
  const { name, render } = await requireKustomize();
  const definitions = new Definitions();
  let problems = 0;
  for (const overlay of overlays) {
    for (const component of [undefined, ...optionalComponents[overlay]]) {
      const as = component === undefined ? overlay : `${overlay} with ${component}`;
      const files = component === undefined ? {} : { component };
      const checked = await checkedOverlay(overlay, render, definitions, files);
      const { objects, problems: found } = checked;
      console.log(`${as}: ${objects} objects by "${name}", ${found.length} problems`);
      for (const problem of found) console.log(`  ${problem}`);
      problems += found.length;
    }
  }
  return problems === 0;
}
