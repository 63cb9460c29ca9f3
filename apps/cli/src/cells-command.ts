import { Command } from 'commander';
import type { MoveFlags } from './cells-move.js';
import { type Perform, withExample } from './command-parts.js';
import { divideCommand } from './divide-cells-command.js';

/** `sluice cells`: the databases of payments among which chain shards are divided (page 0047). */
export function cellsCommand(perform: Perform): Command {
  const command = new Command('cells').description(
    'the databases of payments, and which chain shards each of them carries',
  );
  const list = new Command('list')
    .description(
      'every cell with its shards, and moves that are not finished; exit code 3 when they disagree',
    )
    .action(() =>
      perform(list, async (session) => (await import('./cells-list.js')).listCells(session)),
    );
  const move = new Command('move')
    .description(
      'move chain shards to another cell while payments continue; the same command goes on after a crash',
    )
    .requiredOption('--from <cell>', 'the cell that carries them')
    .requiredOption('--to <cell>', 'the cell that is to carry them')
    .requiredOption('--shards <range>', 'the first and the last shard, e.g. 8000-ffff')
    .option('--undo', 'go back, as long as the other cell does not carry them')
    .option('--reason <text>', 'why, for the record of what operators did; no personal data')
    .option('--execute', 'do it; without this it only says what would be done')
    .action((flags: MoveFlags) =>
      perform(move, async (session) => (await import('./cells-move.js')).moveCells(session, flags)),
    );
  return command
    .addCommand(withExample(list, 'sluice cells'), { isDefault: true })
    .addCommand(divideCommand(perform))
    .addCommand(
      withExample(
        move,
        'sluice cells move --from 1 --to 2 --shards 8000-ffff --execute --reason "cell 1 is full"',
      ),
    );
}
