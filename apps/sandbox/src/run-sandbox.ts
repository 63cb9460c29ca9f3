import { setFlagsFromString } from 'node:v8';
import { runInstallation, sandboxFlags, type SandboxSettings } from '@sluice/local-installation';
import { Sandbox } from './sandbox.js';

/**
 * How far the heap may grow beyond what is alive before it is collected. Under load V8 would let it
 * grow to four times as much: 380 MB resident instead of 280, and no less CPU (measured). With half
 * of this it is 220 MB, but a payment costs Node 5 % more.
 */
const HEAP_GROWTH_PERCENT = 120;

/** How the sandbox was called. */
export interface SandboxCommand {
  /** As people type it: `npm start --`. */
  readonly usage: string;
  readonly settings: new () => SandboxSettings;
  /** The default data folder as help shows it. */
  readonly shownFolder: string;
  /** How operators' command line is called beside it; absent where there is none. */
  readonly sluice?: string;
}

/** The whole life of a sandbox's process. */
export function runSandbox(command: SandboxCommand): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  return runInstallation({
    ...command,
    description: 'The whole gateway in one process, with a demo channel and a simulated acquirer.',
    flags: sandboxFlags,
    create: (settings) => new Sandbox(settings, command.sluice),
  });
}
