import { Command } from 'commander';
import { type Perform, withExample } from './command-parts.js';
import type { MerchantFlags } from './merchant.js';

/** `sluice clock`: time in hand, in a sandbox. */
export function clockCommand(perform: Perform): Command {
  return new Command('clock')
    .description('the clock of an entity in a sandbox: what takes months is tried in a minute')
    .addCommand(showCommand(perform))
    .addCommand(setCommand(perform))
    .addCommand(advanceCommand(perform))
    .addCommand(followCommand(perform));
}

function showCommand(perform: Perform): Command {
  const show = withFlags(new Command('show'))
    .description('how late it is for an entity')
    .action((flags: MerchantFlags) =>
      perform(show, async (session) => (await import('./clock.js')).showClock(session, flags)),
    );
  return withExample(show, 'sluice clock show');
}

function setCommand(perform: Perform): Command {
  const set = withFlags(new Command('set'))
    .description(
      'move the clock forward to an instant; what becomes due on the way is done, date by date',
    )
    .argument('<instant>', 'such as 2031-05-04T13:30:00, UTC unless it says otherwise')
    .action((instant: string, flags: MerchantFlags) =>
      perform(set, async (session) =>
        (await import('./clock.js')).setClock(session, instant, flags),
      ),
    );
  return withExample(set, 'sluice clock set 2031-01-31T08:00:00');
}

function advanceCommand(perform: Perform): Command {
  const advance = withFlags(new Command('advance'))
    .description('move the clock forward by so much; the same otherwise')
    .argument('<duration>', '45s, 90min, 12h, 30d, 2w, or ISO 8601 such as P1DT2H')
    .action((duration: string, flags: MerchantFlags) =>
      perform(advance, async (session) =>
        (await import('./clock.js')).advanceClock(session, duration, flags),
      ),
    );
  return withExample(advance, 'sluice clock advance 30d');
}

function followCommand(perform: Perform): Command {
  const follow = withFlags(new Command('follow'))
    .description("the machine's clock again; what was done stays done, and dates to come stay")
    .action((flags: MerchantFlags) =>
      perform(follow, async (session) => (await import('./clock.js')).followClock(session, flags)),
    );
  return withExample(follow, 'sluice clock follow');
}

function withFlags(command: Command): Command {
  return command
    .option('--entity <id>', 'the entity id of a channel; the demo channel without it')
    .option('--token-file <file>', "a file with its access token; the demo channel's without it")
    .option('--url <url>', 'where the sandbox is; the one that runs here without it');
}
