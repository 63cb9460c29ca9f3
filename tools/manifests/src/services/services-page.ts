import {
  commandTopicOf,
  eventPublishers,
  eventsReadBy,
  eventTopics,
  type ServiceName,
  serviceNames,
  serviceRow,
  tablesReachedBy,
} from '@sluice/contracts';
import { isStatefulSet, NUMBERED_REPLICAS } from './service-needs.js';
import { linesOf } from './text.js';

interface Column {
  readonly title: string;
  readonly cell: (name: ServiceName) => string;
}

const columns: readonly Column[] = [
  { title: 'service', cell: (name) => `\`${name}\`` },
  { title: 'what it does', cell: (name) => serviceRow(name).purpose },
  { title: 'program', cell: (name) => programCell(name) },
  { title: 'how many', cell: (name) => countCell(name) },
  { title: 'tables', cell: (name) => tablesCell(name) },
  { title: 'commands', cell: (name) => commandsCell(name) },
  { title: 'events', cell: (name) => eventsCell(name) },
  { title: 'who may ask it', cell: (name) => callersCell(name) },
  { title: 'outside', cell: (name) => outsideCell(name) },
];

/** `docs/reference/services.md`. */
export function servicesPage(): string {
  return linesOf(
    '# Services',
    '',
    "Every process of an installation, in the order of a payment's way, made from the table of services",
    '(`libs/contracts/src/services.ts`). "How many" is for the local overlay and for production; what bounds the numbers',
    'stands in [Scale](../how-to/scale.md). How a service is added: [Add a service](../how-to/add-a-service.md).',
    '',
    `| ${columns.map(({ title }) => title).join(' | ')} |`,
    `| ${columns.map(() => '---').join(' | ')} |`,
    serviceNames.map((name) => `| ${columns.map(({ cell }) => cell(name)).join(' | ')} |`),
  );
}

function programCell(name: ServiceName): string {
  const { folder, program, localName } = serviceRow(name);
  const short = localName === undefined ? '' : `, \`${localName}\` in \`npm run cluster\``;
  return `\`apps/${folder}\`, \`${program}\`${short}`;
}

function countCell(name: ServiceName): string {
  const { instances, autoscaled, standsFor } = serviceRow(name);
  if (standsFor !== undefined) return '1; none in production';
  const inBase = instances === 'numbered' ? NUMBERED_REPLICAS : 1;
  const base = autoscaled === 'everywhere' ? 'by load' : String(inBase);
  const replicas = isStatefulSet(name) ? String(inBase) : '2';
  const production = autoscaled === undefined ? replicas : 'by load';
  return base === production ? base : `${base}; ${production} in production`;
}

function tablesCell(name: ServiceName): string {
  const others = tablesReachedBy(name).filter((one) => one !== name);
  const own = serviceRow(name).keepsTables === true ? ['its own'] : [];
  return [...own, ...others.map((one) => `those of ${one}`)].join(', ');
}

function commandsCell(name: ServiceName): string {
  const { takesCommands, sendsCommands } = serviceRow(name);
  return [
    ...(sendsCommands === true ? ['sends them'] : []),
    ...(takesCommands === true ? [`takes \`${commandTopicOf(name)}\``] : []),
  ].join(', ');
}

function eventsCell(name: ServiceName): string {
  const { relays = [], followsEventsOf = [] } = serviceRow(name);
  return [
    ...eventPublishers.filter((one) => one === name).map((one) => `\`${eventTopics[one]}\``),
    ...relays.map((one) => `publishes those of ${one}`),
    ...eventsReadBy(name).map((one) => `reads those of ${one}`),
    ...followsEventsOf.map((one) => `follows those of ${one}`),
  ].join(', ');
}

function callersCell(name: ServiceName): string {
  const { routes = {} } = serviceRow(name);
  return [...new Set(Object.values(routes).flat())].join(', ');
}

function outsideCell(name: ServiceName): string {
  const { outwardNetwork, standsFor } = serviceRow(name);
  return standsFor === undefined ? (outwardNetwork ?? '') : `stands for ${standsFor}`;
}
