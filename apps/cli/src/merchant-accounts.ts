import { configureAccount, type NodeState, removeAccount } from '@sluice/accounts';
import { endpointModes, type MerchantAccount } from '@sluice/contracts';
import { parseMerchantAccount, routingSentences } from '@sluice/domain-accounts';
import type { Answer } from './answer.js';
import { refused } from './exit-codes.js';
import {
  entityIdOf,
  readRoutingFile,
  type RoutingFlags,
  RoutingSession,
} from './routing-session.js';
import type { Session } from './session.js';
import { textTable } from './text-table.js';

interface Listed {
  readonly node: NodeState['node'];
  readonly account: MerchantAccount;
}

/** `merchant-accounts list`: whose they are, and where their endpoints lead. */
export async function listMerchantAccounts(
  session: Session,
  node: string | undefined,
): Promise<Answer> {
  const nodes = await new RoutingSession(session).nodesFrom(node);
  const listed = nodes.flatMap(({ node: owner, merchantAccounts }) =>
    merchantAccounts.map((account) => ({ node: owner, account })),
  );
  const text = textTable<Listed>(
    listed,
    [
      { title: 'NODE', cell: ({ node: owner }) => owner.id },
      { title: 'ID', cell: ({ account }) => account.id },
      { title: 'NAME', cell: ({ account }) => account.name },
      { title: 'CONNECTOR', cell: ({ account }) => account.connector },
      ...endpointModes.map((mode) => {
        const cell = ({ account }: Listed): string => account.endpoints[mode]?.address ?? '';
        return { title: mode, cell };
      }),
    ],
    'There are no merchant accounts.',
  );
  const data = listed.map(({ node: owner, account }) => ({ nodeId: owner.id, ...account }));
  return { data, text };
}

/** `merchant-accounts set`: as a file says; dry run unless told. */
export async function setMerchantAccount(
  session: Session,
  { node, file, flags }: { node: string; file: string; flags: RoutingFlags },
): Promise<Answer> {
  const nodeId = entityIdOf(node);
  const account = readRoutingFile(file, (text) => parseMerchantAccount(text, nodeId));
  const { id, name } = account;
  return new RoutingSession(session).make(
    {
      ...{ nodeId, change: configureAccount(account) },
      planned: `Merchant account ${id} (${name}) would be set.`,
      done: `Merchant account ${id} (${name}) is set.`,
      data: { nodeId, merchantAccount: account },
    },
    flags,
  );
}

/** `merchant-accounts remove`: dry run unless told. */
export async function removeMerchantAccount(
  session: Session,
  { node, account: word, flags }: { node: string; account: string; flags: RoutingFlags },
): Promise<Answer> {
  const nodeId = entityIdOf(node);
  const routing = new RoutingSession(session);
  const [own] = await routing.nodesFrom(node);
  const account = own?.merchantAccounts.find(({ id, name }) => id === word || name === word);
  if (account === undefined) throw refused(`${node}: ${routingSentences.unknownMerchantAccount}.`);
  const { id, name } = account;
  return routing.make(
    {
      ...{ nodeId, change: removeAccount(id) },
      planned: `Merchant account ${id} (${name}) would be removed.`,
      done: `Merchant account ${id} (${name}) is removed.`,
      note: 'Payments that are on it can be neither captured nor refunded without it.',
      data: { nodeId, merchantAccountId: id },
    },
    flags,
  );
}
