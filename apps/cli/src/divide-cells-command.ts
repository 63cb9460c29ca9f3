import { Command } from 'commander';
import { type Perform, withExample } from './command-parts.js';

/** `cells divide`: the shards of a new installation, an equal part for each cell. */
export function divideCommand(perform: Perform): Command {
  const command = new Command('divide')
    .description(
      'give each cell of a new installation an equal part of all shards; where payments are recorded, or the shards are divided already, nothing is changed',
    )
    .option('--execute', 'do it; without this it only says what would be done')
    .action(({ execute }: { readonly execute?: true }) =>
      perform(command, async (session) =>
        (await import('./divide-cells.js')).divideCells(session, execute === true),
      ),
    );
  return withExample(command, 'sluice cells divide --execute');
}
