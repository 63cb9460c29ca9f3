import { Command } from 'commander';
import { type Perform, withExample } from './command-parts.js';
import type { ListChangeFlags, ListFlags } from './risk-lists.js';
import type { DecisionFlags } from './risk-reviews.js';
import type { ExecuteFlag } from './risk-session.js';
import type { WhatIfFlags } from './risk-what-if.js';
import type { SetFlags, ShowFlags } from './risk-rules.js';

const EXECUTE = 'do it; without this it only says what would be done';
const NODE = 'the entity id of a channel, merchant, division or PSP';
const RULE = "a rule with a list, by its id in the node's file";
const EXAMPLE_NODE = '8a8294174b7ecb28014b9699220015ca';
const EXAMPLE_PAYMENT = '018f2d3c9a7b4e5f8a9b0c1d2e3f4a5b';

/** `sluice risk`: the rules that stop fraud, and the payments that wait for a decision. */
export function riskCommand(perform: Perform): Command {
  return new Command('risk')
    .description(
      'the rules that stop fraud, and the payments that somebody is to look at; risk learns changes within seconds',
    )
    .addCommand(rulesCommand(perform))
    .addCommand(listsCommand(perform))
    .addCommand(reviewCommand(perform))
    .addCommand(whatIfCommand(perform))
    .addCommand(rebuildCountsCommand(perform));
}

function rulesCommand(perform: Perform): Command {
  const command = new Command('rules').description('which rules nodes have');
  const show = new Command('show')
    .description('which nodes have rules; of one node all that hold for it, in their order')
    .option('--node <id>', NODE)
    .option('--save <file>', "write the node's own rules to a file that `rules set` takes")
    .action((flags: ShowFlags) =>
      perform(show, async (session) => (await import('./risk-rules.js')).showRules(session, flags)),
    );
  const set = new Command('set')
    .description('give a node the rules of a file, in the place of those that it has')
    .requiredOption('--node <id>', NODE)
    .requiredOption('--file <file>', 'its rules in JSON; {} takes all of them away')
    .option(
      '--replace <version>',
      'the version that it takes the place of, where the file does not say one, as a saved file does',
    )
    .option('--execute', EXECUTE)
    .action((flags: SetFlags) =>
      perform(set, async (session) => (await import('./risk-rules.js')).setRules(session, flags)),
    );
  const history = new Command('history')
    .description('who changed the rules of a node, when, and what')
    .requiredOption('--node <id>', NODE)
    .action(({ node }: { readonly node: string }) =>
      perform(history, async (session) =>
        (await import('./risk-rules.js')).rulesHistory(session, node),
      ),
    );
  return command
    .addCommand(withExample(show, `sluice risk rules show --node ${EXAMPLE_NODE}`))
    .addCommand(
      withExample(set, `sluice risk rules set --node ${EXAMPLE_NODE} --file rules.json --execute`),
    )
    .addCommand(withExample(history, `sluice risk rules history --node ${EXAMPLE_NODE}`));
}

function listsCommand(perform: Perform): Command {
  const command = new Command('lists').description(
    'the values of rules with a list; each change is a new version of the rules of the node',
  );
  const show = new Command('show')
    .description('what is on the list of a rule')
    .requiredOption('--node <id>', NODE)
    .requiredOption('--rule <id>', RULE)
    .action((flags: ListFlags) =>
      perform(show, async (session) => (await import('./risk-lists.js')).showList(session, flags)),
    );
  const add = new Command('add')
    .description('put a value on the list of a rule, or change until when it is there')
    .requiredOption('--node <id>', NODE)
    .requiredOption('--rule <id>', RULE)
    .requiredOption('--value <value>', 'in the form that the list has, e.g. 420000')
    .option('--until <instant>', 'until when, e.g. 2031-05-04T12:30Z; otherwise for ever')
    .option('--execute', EXECUTE)
    .action((flags: ListChangeFlags) =>
      perform(add, async (session) => (await import('./risk-lists.js')).addToList(session, flags)),
    );
  const remove = new Command('remove')
    .description('take a value off the list of a rule')
    .requiredOption('--node <id>', NODE)
    .requiredOption('--rule <id>', RULE)
    .requiredOption('--value <value>', 'as the list has it')
    .option('--execute', EXECUTE)
    .action((flags: ListChangeFlags) =>
      perform(remove, async (session) =>
        (await import('./risk-lists.js')).removeFromList(session, flags),
      ),
    );
  const node = `--node ${EXAMPLE_NODE}`;
  return command
    .addCommand(withExample(show, `sluice risk lists show ${node} --rule stolen-ranges`))
    .addCommand(
      withExample(
        add,
        `sluice risk lists add ${node} --rule stolen-ranges --value 420000 --until 2031-05-04 --execute`,
      ),
    )
    .addCommand(
      withExample(
        remove,
        `sluice risk lists remove ${node} --rule stolen-ranges --value 420000 --execute`,
      ),
    );
}

function reviewCommand(perform: Perform): Command {
  const command = new Command('review').description(
    'payments that a rule has put under review: nothing of them is captured until somebody decides',
  );
  const list = new Command('list')
    .description('those that wait, the oldest first')
    .action(() =>
      perform(list, async (session) => (await import('./risk-reviews.js')).listReviews(session)),
    );
  const approve = new Command('approve')
    .description('let them go on: they can be captured')
    .argument('<ids...>', 'as the list shows them')
    .option('--execute', EXECUTE)
    .action((ids: readonly string[], flags: DecisionFlags) =>
      perform(approve, async (session) =>
        (await import('./risk-reviews.js')).decideReviews(session, ids, {
          ...flags,
          decision: 'released',
        }),
      ),
    );
  const reject = new Command('reject')
    .description('stop them: what was reserved or taken is given back')
    .argument('<ids...>', 'as the list shows them')
    .option('--execute', EXECUTE)
    .action((ids: readonly string[], flags: DecisionFlags) =>
      perform(reject, async (session) =>
        (await import('./risk-reviews.js')).decideReviews(session, ids, {
          ...flags,
          decision: 'rejected',
        }),
      ),
    );
  return command
    .addCommand(withExample(list, 'sluice risk review list'))
    .addCommand(withExample(approve, `sluice risk review approve ${EXAMPLE_PAYMENT} --execute`))
    .addCommand(withExample(reject, `sluice risk review reject ${EXAMPLE_PAYMENT} --execute`));
}

function whatIfCommand(perform: Perform): Command {
  const command = new Command('what-if')
    .description(
      'what other rules would have done with the payments of a time: chargebacks caught, good payments refused',
    )
    .requiredOption('--rules <file>', 'rules in JSON, in the place of those that the node has')
    .option('--node <id>', `${NODE}; otherwise the top of the tree`)
    .requiredOption('--from <instant>', 'the first payments, e.g. 2031-05-01 (UTC)')
    .option('--to <instant>', 'up to here, excluded; otherwise until now')
    .option('--mode <mode>', 'LIVE, EXTERNAL or INTERNAL payments alone; otherwise all')
    .option('--picture <file>', 'draw it, as SVG')
    .action((flags: WhatIfFlags) =>
      perform(command, async (session) =>
        (await import('./risk-what-if.js')).whatIf(session, flags),
      ),
    );
  return withExample(
    command,
    `sluice risk what-if --rules rules.json --node ${EXAMPLE_NODE} --from 2031-05-01 --picture effect.svg`,
  );
}

function rebuildCountsCommand(perform: Perform): Command {
  const command = new Command('rebuild-counts')
    .description(
      'count again what payers have done, from all that was judged; for the time after their tables were lost',
    )
    .option('--execute', EXECUTE)
    .action((flags: ExecuteFlag) =>
      perform(command, async (session) =>
        (await import('./risk-counts.js')).rebuildCounts(session, flags),
      ),
    );
  return withExample(command, 'sluice risk rebuild-counts --execute');
}
