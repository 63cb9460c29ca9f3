// The words of the repository's own commands, read by commander as those of every other command.
// Imported statically by commands that a fresh clone runs: what is not a `node:` module comes later.
import './ensure-packages.mjs';
import process from 'node:process';
import { build } from './build.mjs';
import { workspaceRoot } from './projects.mjs';

/**
 * Reads the words behind a command. Prints help, or the sentence that refuses them with exit code 2,
 * and then ends the process: nothing is begun.
 * @template Options
 * @param {(command: import('commander').Command) => import('commander').Command} describe its
 *   description, arguments and options
 * @param {string} usage as people type it: `npm test --`
 * @returns {Promise<{ options: Options, words: string[] }>}
 */
export async function wordsBehind(usage, describe) {
  // All that is needed to read them; whoever runs more of the compiled code brings it up to date.
  await build(workspaceRoot, ['libs/command-line']);
  const { parsed, wishOf } = await import('@sluice/command-line');
  const { Command } = await import('commander');
  const wish = wishOf(
    parsed({
      command: describe(new Command(usage)),
      words: process.argv.slice(2),
      read: (command) => ({
        kind: /** @type {const} */ ('wish'),
        wish: { options: /** @type {Options} */ (command.opts()), words: command.args },
      }),
    }),
  );
  if (wish === undefined) process.exit();
  return wish;
}
