import { Command } from 'commander';
import { type Perform, withExample } from './command-parts.js';
import type { RoutingFlags } from './routing-session.js';

const EXECUTE = 'do it; without this it only says what would be done';
const NODE = 'the entity id of a channel, merchant, division or PSP';
const EXAMPLE_NODE = '8a8294174b7ecb28014b9699220015ca';
const EXAMPLE_ID = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';

/** `sluice merchant-accounts`: the accounts that merchants have with acquirers. */
export function merchantAccountsCommand(perform: Perform): Command {
  const command = new Command('merchant-accounts').description(
    'the accounts that merchants have with acquirers; payments learns changes within seconds',
  );
  const list = new Command('list')
    .description('all of them, or those of a node and of the nodes above it; no secrets')
    .argument('[node]', NODE)
    .action((node: string | undefined) =>
      perform(list, async (session) =>
        (await import('./merchant-accounts.js')).listMerchantAccounts(session, node),
      ),
    );
  const set = new Command('set')
    .description('add a merchant account to a node, or change it, as a file says')
    .argument('<node>', NODE)
    .argument('<file>', 'one merchant account in JSON, as in a seed file')
    .option('--execute', EXECUTE)
    .action((node: string, file: string, flags: RoutingFlags) =>
      perform(set, async (session) =>
        (await import('./merchant-accounts.js')).setMerchantAccount(session, { node, file, flags }),
      ),
    );
  const remove = new Command('remove')
    .description(
      'take one away; its payments can then be neither captured nor refunded, so remove its routes ' +
        'and keep it while there are any',
    )
    .argument('<node>', NODE)
    .argument('<account>', 'its id or its name')
    .option('--execute', EXECUTE)
    .action((node: string, account: string, flags: RoutingFlags) =>
      perform(remove, async (session) =>
        (await import('./merchant-accounts.js')).removeMerchantAccount(session, {
          ...{ node, account, flags },
        }),
      ),
    );
  return command
    .addCommand(withExample(list, 'sluice merchant-accounts list'))
    .addCommand(
      withExample(set, `sluice merchant-accounts set ${EXAMPLE_NODE} account.json --execute`),
    )
    .addCommand(
      withExample(remove, `sluice merchant-accounts remove ${EXAMPLE_NODE} "Acquirer A" --execute`),
    );
}

/** `sluice routes`: which payments go to which merchant account. */
export function routesCommand(perform: Perform): Command {
  const command = new Command('routes').description(
    'which payments go to which merchant account; payments learns changes within seconds',
  );
  const list = new Command('list')
    .description('all of them, or those that payments of an entity may take')
    .argument('[node]', NODE)
    .action((node: string | undefined) =>
      perform(list, async (session) => (await import('./routes.js')).listRoutes(session, node)),
    );
  const set = new Command('set')
    .description('add a route to a node, or change the one with its id, as a file says')
    .argument('<node>', NODE)
    .argument('<file>', 'one route in JSON, as in a seed file')
    .option('--execute', EXECUTE)
    .action((node: string, file: string, flags: RoutingFlags) =>
      perform(set, async (session) =>
        (await import('./routes.js')).setRoute(session, { node, file, flags }),
      ),
    );
  const remove = new Command('remove')
    .description('take a route away; payments that took it stay with their merchant account')
    .argument('<node>', NODE)
    .argument('<id>', 'as the list shows it')
    .option('--execute', EXECUTE)
    .action((node: string, id: string, flags: RoutingFlags) =>
      perform(remove, async (session) =>
        (await import('./routes.js')).removeRoute(session, { node, id, flags }),
      ),
    );
  return command
    .addCommand(withExample(list, `sluice routes list ${EXAMPLE_NODE}`))
    .addCommand(withExample(set, `sluice routes set ${EXAMPLE_NODE} route.json --execute`))
    .addCommand(
      withExample(remove, `sluice routes remove ${EXAMPLE_NODE} ${EXAMPLE_ID} --execute`),
    );
}
