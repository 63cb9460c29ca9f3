import { configureRoute, type NodeState } from '@sluice/accounts';
import type { MerchantAccountId, Route, RouteId } from '@sluice/contracts';
import { parseRoute } from '@sluice/domain-accounts';
import { isoDecimal } from '@sluice/money';
import type { Answer } from './answer.js';
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
  readonly route: Route;
}

const FIRST_ROUTE =
  'It is the first route of this installation: from now on every channel needs one for live payments ' +
  'and for testMode=EXTERNAL; without one they are refused with 600.200.700.';
const LAST_ROUTE =
  'It is the last route of this installation: payments then go where its own settings lead.';

/** `routes list`: whose they are, where they lead, and on which conditions. */
export async function listRoutes(session: Session, node: string | undefined): Promise<Answer> {
  const nodes = await new RoutingSession(session).nodesFrom(node);
  const listed = nodes.flatMap(({ node: owner, routes }) =>
    [...routes].sort(byPriority).map((route) => ({ node: owner, route })),
  );
  const text = textTable<Listed>(
    listed,
    [
      { title: 'NODE', cell: ({ node: owner }) => owner.id },
      { title: 'ID', cell: ({ route }) => route.id },
      { title: 'MERCHANT ACCOUNT', cell: ({ route }) => nameOf(route, nodes) },
      { title: 'MODES', cell: ({ route }) => route.modes.join(',') },
      { title: 'PRIORITY', cell: ({ route }) => String(route.priority), alignRight: true },
      { title: 'WEIGHT', cell: ({ route }) => String(route.weight), alignRight: true },
      { title: 'CONDITIONS', cell: ({ route }) => conditionsText(route) },
    ],
    'There are no routes.',
  );
  return { data: listed.map(({ node: owner, route }) => ({ nodeId: owner.id, ...route })), text };
}

/** `routes set`: as a file says; dry run unless told. */
export async function setRoute(
  session: Session,
  { node, file, flags }: { node: string; file: string; flags: RoutingFlags },
): Promise<Answer> {
  const nodeId = entityIdOf(node);
  const routing = new RoutingSession(session);
  const path = await routing.nodesFrom(node);
  const find = (word: string): MerchantAccountId | undefined =>
    path
      .flatMap(({ merchantAccounts }) => merchantAccounts)
      .find(({ id, name }) => id === word || name === word)?.id;
  const taken = path[0]?.routes ?? [];
  const route = readRoutingFile(file, (text) => {
    // Without an id of its own it is a further route: in the first place that is free.
    for (let index = 0; ; index += 1) {
      const read = parseRoute(text, { nodeId, index, find });
      const isOwn = read.kind === 'refused' || hasId(text);
      if (isOwn || !taken.some(({ id }) => id === read.value.id)) return read;
    }
  });
  const isFirst = (await routesOfAll(routing)).length === 0;
  return routing.make(
    {
      ...{ nodeId, change: configureRoute(route) },
      planned: `Route ${route.id} would be set.`,
      done: `Route ${route.id} is set.`,
      ...(isFirst && { note: FIRST_ROUTE }),
      data: { nodeId, route },
    },
    flags,
  );
}

/** `routes remove`: dry run unless told. */
export async function removeRoute(
  session: Session,
  { node, id, flags }: { node: string; id: string; flags: RoutingFlags },
): Promise<Answer> {
  const nodeId = entityIdOf(node);
  const routing = new RoutingSession(session);
  const isLast = (await routesOfAll(routing)).length === 1;
  return routing.make(
    {
      ...{ nodeId, change: { type: 'RemoveRoute', routeId: id as RouteId } },
      ...{ planned: `Route ${id} would be removed.`, done: `Route ${id} is removed.` },
      ...(isLast && { note: LAST_ROUTE }),
      data: { nodeId, routeId: id },
    },
    flags,
  );
}

async function routesOfAll(routing: RoutingSession): Promise<readonly Route[]> {
  return (await routing.nodesFrom(undefined)).flatMap(({ routes }) => routes);
}

function hasId(text: string): boolean {
  return Object.hasOwn(JSON.parse(text) as object, 'id');
}

function byPriority(one: Route, other: Route): number {
  return one.priority - other.priority;
}

/** Its name, if its node is among those listed. */
function nameOf({ merchantAccountId }: Route, nodes: readonly NodeState[]): string {
  const accounts = nodes.flatMap(({ merchantAccounts }) => merchantAccounts);
  return accounts.find(({ id }) => id === merchantAccountId)?.name ?? merchantAccountId;
}

function conditionsText(route: Route): string {
  const { methods = [], brands = [], currencies = [], amountFrom, amountTo, takesDeclined } = route;
  return [
    ...[methods, brands, currencies].map((values) => values.join(',')),
    ...(amountFrom === undefined ? [] : [`from ${isoDecimal(amountFrom)} ${amountFrom.currency}`]),
    ...(amountTo === undefined ? [] : [`to ${isoDecimal(amountTo)} ${amountTo.currency}`]),
    ...(takesDeclined === true ? ['takes declined'] : []),
  ]
    .filter((words) => words !== '')
    .join('; ');
}
