import type { CpuProfile, ProbeProfile } from './account-probe.js';

/** Samples by what they were about; `measuring` and `idle` are left out. */
export type Shares = ReadonlyMap<Subsystem, number>;

/** What a payment's time is told apart into. */
export type Subsystem = (typeof subsystems)[number];

/** In the order of the printed table. */
export const subsystems = [
  ...(['HTTP', 'form and catalogue', 'JSON', 'crypto', 'SQL client', 'event store'] as const),
  ...(['aggregates and domain', 'connectors', 'messaging', 'projection', 'relay'] as const),
  ...(['vault', 'simulator', 'edge', 'accounts', 'logging and metrics'] as const),
  ...(['Nest and Fastify', 'collection', 'compilation', 'system calls', 'rest'] as const),
] as const;

/** A frame: where its function is, and its name. */
export interface Frame {
  readonly url: string;
  readonly functionName: string;
}

interface Rule {
  readonly subsystem: Subsystem | 'idle';
  readonly url: RegExp;
  readonly name?: RegExp;
}

type Found = Rule['subsystem'] | 'measuring';

/** Its own functions are not the service's; what it calls through it is. */
const PROBE = '/account-probe.js';
const PROFILER = /^node:(?:internal\/)?inspector/;

/** Native functions whose time is the kernel's, or on the way there. */
const SYSTEM_CALLS =
  /^(?:writev|write(?:Buffer|String|Buffers|Utf8String|Latin1String|AsciiString|Ucs2String)|readStart|readStop|shutdown|connect|open|close|fsync|fdatasync|fstat|stat|read)$/;

/** What the profiler itself names; only as the sample's own frame. */
const OWN_FRAME: readonly Rule[] = [
  { subsystem: 'idle', url: /^$/, name: /^\(idle\)$/ },
  { subsystem: 'collection', url: /^$/, name: /^\(garbage collector\)$/ },
  // Node's and V8's own code outside of JavaScript: reading of sockets, waiting for events, timers.
  { subsystem: 'system calls', url: /^$/, name: /^\(program\)$/ },
  { subsystem: 'system calls', url: /^$/, name: SYSTEM_CALLS },
];

/** The first that fits a frame counts; a frame that none fits belongs to its caller. */
const RULES: readonly Rule[] = [
  { subsystem: 'JSON', url: /\/account-probe\.js/, name: /^json(?:Parse|Stringify)$/ },
  { subsystem: 'JSON', url: package_('(?:fast-json-stringify|secure-json-parse)') },
  { subsystem: 'crypto', url: /^node:(?:internal\/)?crypto/ },
  { subsystem: 'crypto', url: own('libs/secrets') },
  { subsystem: 'crypto', url: own('libs/service', '(?:envelopes|sealed-text|[a-z-]*key)') },
  { subsystem: 'HTTP', url: /^node:(?:_http_|https?$|internal\/https?|internal\/deps\/undici)/ },
  { subsystem: 'HTTP', url: package_('undici') },
  {
    subsystem: 'HTTP',
    url: own('libs/service', '(?:http-client|internal-(?:server|client|answers)|frame[sd][a-z-]*)'),
  },
  { subsystem: 'HTTP', url: own('libs/messaging', 'http/') },
  { subsystem: 'SQL client', url: package_('pg(?:-[a-z-]+)?|postgres-[a-z]+') },
  { subsystem: 'SQL client', url: own('libs/service', 'database') },
  { subsystem: 'logging and metrics', url: package_('pino[a-z-]*|sonic-boom|prom-client') },
  { subsystem: 'logging and metrics', url: package_('@opentelemetry/[a-z-]+') },
  {
    subsystem: 'logging and metrics',
    url: own('libs/service', '(?:logger|spans|tracing|[a-z-]*metrics|metric-)'),
  },
  { subsystem: 'messaging', url: package_('kafkajs') },
  { subsystem: 'messaging', url: own('libs/messaging') },
  {
    subsystem: 'Nest and Fastify',
    url: package_('@nestjs/[a-z-]+|@?fastify[a-z-]*(?:/[a-z-]+)?|find-my-way|avvio|rxjs'),
  },
  { subsystem: 'form and catalogue', url: own('libs/(?:parameters|result-codes|money)') },
  {
    subsystem: 'form and catalogue',
    url: own('apps/edge', '(?:checked-form|request-form|kept-parameters)'),
  },
  { subsystem: 'relay', url: own('libs/aggregates', '(?:relay|outbox)') },
  { subsystem: 'relay', url: own('libs/event-store', '(?:outbox-relay|relay-leases)') },
  { subsystem: 'relay', url: own('apps/relay') },
  { subsystem: 'event store', url: own('libs/event-store') },
  {
    subsystem: 'aggregates and domain',
    url: own('(?:libs/aggregates|libs/domain/[a-z-]+|apps/payments)'),
  },
  { subsystem: 'connectors', url: own('libs/connectors') },
  { subsystem: 'projection', url: own('(?:libs/projections|apps/reporting)') },
  { subsystem: 'vault', url: own('apps/vault') },
  { subsystem: 'simulator', url: own('apps/simulator') },
  { subsystem: 'edge', url: own('apps/edge') },
  { subsystem: 'accounts', url: own('apps/accounts') },
];

function package_(names: string): RegExp {
  return new RegExp(`/node_modules/(?:${names})/`);
}

function own(project: string, file = ''): RegExp {
  return new RegExp(`/${project}/dist/${file}`);
}

/** What a stack is about, its own frame first. */
export function subsystemOf(stack: readonly Frame[]): Found {
  const [first] = stack;
  if (first === undefined) return 'rest';
  const known = ofFrame(first, OWN_FRAME) ?? ofFrame(first, RULES);
  const isMeasuring = known === undefined && first.url.includes(PROBE);
  if (isMeasuring || stack.some(({ url }) => PROFILER.test(url))) return 'measuring';
  if (known !== undefined) return known;
  for (const frame of stack.slice(1)) {
    const found = ofFrame(frame, RULES);
    if (found !== undefined) return found;
  }
  return 'rest';
}

function ofFrame(frame: Frame, rules: readonly Rule[]): Found | undefined {
  return rules.find((rule) => fits(rule, frame))?.subsystem;
}

function fits({ url, name }: Rule, frame: Frame): boolean {
  return url.test(frame.url) && (name?.test(frame.functionName) ?? true);
}

/** Which part of the main thread's time each subsystem had; the parts add up to 1. */
export function sharesOf({ profile, compiling }: ProbeProfile): Shares {
  const about = subsystemsOfNodes(profile);
  const isCompiling = withinIntervals(compiling);
  const counted = new Map<Subsystem, number>();
  let [at, all] = [profile.startTime, 0];
  for (const [index, node] of (profile.samples ?? []).entries()) {
    at += profile.timeDeltas?.[index] ?? 0;
    const found = about.get(node) ?? 'rest';
    if (found === 'idle' || found === 'measuring') continue;
    const subsystem = found !== 'collection' && isCompiling(at) ? 'compilation' : found;
    counted.set(subsystem, (counted.get(subsystem) ?? 0) + 1);
    all += 1;
  }
  return new Map([...counted].map(([subsystem, samples]) => [subsystem, samples / all]));
}

function subsystemsOfNodes({ nodes }: CpuProfile): ReadonlyMap<number, Found> {
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stackOf = (id: number): Frame[] => {
    const stack: Frame[] = [];
    for (let node = byId.get(id); node !== undefined;) {
      if (node.callFrame.functionName !== '(root)') stack.push(node.callFrame);
      node = byId.get(parents.get(node.id) ?? -1);
    }
    return stack;
  };
  return new Map(nodes.map(({ id }) => [id, subsystemOf(stackOf(id))]));
}

/** Whether an instant is in one of the intervals; asked in ascending order. */
function withinIntervals(
  intervals: readonly (readonly [number, number])[],
): (at: number) => boolean {
  const sorted = intervals.toSorted(([one], [other]) => one - other);
  let [next, until] = [0, -1];
  return (at) => {
    for (; next < sorted.length && (sorted[next]?.[0] ?? 0) <= at; next += 1) {
      until = Math.max(until, sorted[next]?.[1] ?? 0);
    }
    return at <= until;
  };
}

/** CPU of a Node process for each payment or second, in milliseconds. */
export interface NodeMs {
  readonly mainUser: number;
  readonly mainKernel: number;
  readonly helpers: number;
}

/** What the helpers of V8 took for each payment or second, in milliseconds. */
export interface HelpersMs {
  readonly collection: number;
  readonly compilation: number;
}

/** A line of the account by subsystem. */
export type SubsystemMs = ReadonlyMap<string, number>;

/**
 * Applies shares to CPU that was measured without the profiler. What the kernel took is known and is
 * taken out of the system calls first; the rest of them is Node's part of reading and writing.
 */
export function splitBySubsystem(cpu: NodeMs, shares: Shares, helpers: HelpersMs): SubsystemMs {
  const main = cpu.mainUser + cpu.mainKernel;
  const raw = new Map(subsystems.map((each) => [each, (shares.get(each) ?? 0) * main]));
  const glue = Math.max(0, (raw.get('system calls') ?? 0) - cpu.mainKernel);
  raw.set('system calls', glue);
  const sum = [...raw.values()].reduce((total, each) => total + each, 0);
  const factor = sum === 0 ? 0 : cpu.mainUser / sum;
  const collection = Math.min(cpu.helpers, helpers.collection);
  const compilation = Math.min(cpu.helpers - collection, helpers.compilation);
  return new Map<string, number>([
    ...[...raw].map(([name, ms]): [string, number] => [
      name === 'system calls' ? 'Node outside of JavaScript' : name,
      ms * factor,
    ]),
    ['kernel', cpu.mainKernel],
    ['collection, other threads', collection],
    ['compilation, other threads', compilation],
    ['rest, other threads', cpu.helpers - collection - compilation],
  ]);
}
