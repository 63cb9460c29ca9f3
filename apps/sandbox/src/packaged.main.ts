// `sluice-sandbox`, from the npm package and in the image, where there is no repository around it.
import { resolve } from 'node:path';
import { SandboxSettings } from '@sluice/local-installation';
import { runSandbox } from './run-sandbox.js';

class PackagedSettings extends SandboxSettings {
  override readonly dataFolder: string = resolve('.sluice');
}

await runSandbox({ usage: 'sluice-sandbox', settings: PackagedSettings, shownFolder: './.sluice' });
