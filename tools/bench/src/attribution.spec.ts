import { describe, expect, it } from '@jest/globals';
import type { CpuProfile } from './account-probe.js';
import { type Frame, sharesOf, splitBySubsystem, subsystemOf } from './attribution.js';

const ROOT = 'file:///home/dev/sluice';

function frame(url: string, functionName = 'something'): Frame {
  return { url, functionName };
}

const ours = (file: string): Frame => frame(`${ROOT}/${file}`);
const packaged = (file: string): Frame => frame(`${ROOT}/node_modules/${file}`);
const native = (functionName: string): Frame => frame('', functionName);

describe('a sample', () => {
  it.each([
    ['HTTP', ours('libs/service/dist/http-client.js')],
    ['HTTP', packaged('undici/lib/dispatcher/client-h1.js')],
    ['HTTP', frame('node:_http_outgoing')],
    ['form and catalogue', ours('libs/parameters/dist/form-parser.js')],
    ['form and catalogue', ours('apps/edge/dist/checked-form.js')],
    ['JSON', frame(`${ROOT}/tools/bench/dist/account-probe.js?socket=x`, 'jsonParse')],
    ['crypto', frame('node:internal/crypto/cipher')],
    ['crypto', ours('libs/service/dist/envelopes.js')],
    ['SQL client', packaged('pg-protocol/dist/parser.js')],
    ['event store', ours('libs/event-store/dist/appender.js')],
    ['aggregates and domain', ours('libs/domain/payments/dist/decide.js')],
    ['connectors', ours('libs/connectors/dist/index.js')],
    ['messaging', packaged('kafkajs/src/network/connection.js')],
    ['projection', ours('libs/projections/dist/feeder.js')],
    ['relay', ours('libs/event-store/dist/outbox-relay.js')],
    ['relay', ours('libs/aggregates/dist/relay.js')],
    ['vault', ours('apps/vault/dist/detail-vault.js')],
    ['simulator', ours('apps/simulator/dist/acquirer.js')],
    ['edge', ours('apps/edge/dist/request-pipeline.js')],
    ['logging and metrics', ours('libs/service/dist/prometheus-metrics.js')],
    ['Nest and Fastify', packaged('@nestjs/core/router/router-proxy.js')],
    ['Nest and Fastify', packaged('fastify/lib/route.js')],
    ['collection', native('(garbage collector)')],
    ['system calls', native('(program)')],
    ['idle', native('(idle)')],
    ['measuring', frame('node:inspector')],
  ])('is about %s by its own frame: %j', (subsystem, own) => {
    expect(subsystemOf([own])).toBe(subsystem);
  });

  it('of Node itself, or of a library of many uses, is about the nearest caller that is known', () => {
    const timers = frame('node:internal/timers');
    const contracts = ours('libs/contracts/dist/index.js');
    const vault = ours('apps/vault/dist/detail-vault.js');
    expect(subsystemOf([timers, contracts, vault, ours('apps/edge/dist/x.js')])).toBe('vault');
    expect(subsystemOf([native('set'), timers])).toBe('rest');
    expect(subsystemOf([native('digest'), frame('node:internal/crypto/hash'), vault])).toBe(
      'crypto',
    );
  });

  it('of a native function that only asks the kernel is a system call, whoever asks', () => {
    const outgoing = frame('node:_http_outgoing');
    expect(subsystemOf([native('writev'), outgoing])).toBe('system calls');
    expect(subsystemOf([native('writev'), frame('node:inspector')])).toBe('measuring');
  });

  it('that passes through the probe is of the service; the probe itself is not', () => {
    const probe = frame(`${ROOT}/tools/bench/dist/account-probe.js`, 'socket.write');
    const client = packaged('kafkajs/src/network/connection.js');
    expect(subsystemOf([frame('node:net'), probe, client])).toBe('messaging');
    expect(subsystemOf([probe, client])).toBe('measuring');
  });

  it('of the same build elsewhere is about the same', () => {
    const elsewhere = `node_modules/.cache/sluice/commits/abc/apps/vault/dist/x.js`;
    expect(subsystemOf([ours(elsewhere)])).toBe('vault');
  });
});

describe('the shares of a profile', () => {
  const profile: CpuProfile = {
    nodes: [
      { id: 1, callFrame: frame('', '(root)'), children: [2, 3, 4, 6] },
      { id: 2, callFrame: frame('', '(idle)') },
      { id: 3, callFrame: ours('apps/vault/dist/x.js'), children: [5] },
      { id: 4, callFrame: frame('', '(garbage collector)') },
      { id: 5, callFrame: frame('node:internal/crypto/hash') },
      { id: 6, callFrame: frame('node:inspector') },
    ],
    startTime: 1_000,
    samples: [2, 3, 3, 5, 4, 6],
    timeDeltas: [10, 10, 10, 10, 10, 10],
  };
  const helpers = { collection: 0, compilation: 0 };

  it('leave out what is idle or the measuring itself', () => {
    const shares = sharesOf({ profile, compiling: [], helpers });
    expect(Object.fromEntries(shares)).toEqual({ vault: 0.5, crypto: 0.25, collection: 0.25 });
  });

  it('have as compilation what V8 says of the time of a sample', () => {
    const compiling = [
      [1_019, 1_021],
      [1_045, 1_055],
    ] as const;
    const shares = sharesOf({ profile, compiling, helpers });
    expect(shares.get('compilation')).toBe(0.25);
    expect(shares.get('collection')).toBe(0.25);
  });
});

describe('the split of CPU', () => {
  const cpu = { mainUser: 0.7, mainKernel: 0.3, helpers: 0.2 };
  const shares = new Map([
    ['vault', 0.6],
    ['system calls', 0.4],
  ] as const);
  const sum = (split: ReadonlyMap<string, number>): number =>
    [...split.values()].reduce((all, each) => all + each, 0);

  it('takes the kernel out of the system calls, and adds up to what was used', () => {
    const split = splitBySubsystem(cpu, shares, { collection: 0.05, compilation: 0.1 });
    expect(split.get('vault')).toBeCloseTo(0.6);
    expect(split.get('Node outside of JavaScript')).toBeCloseTo(0.1);
    expect(split.get('kernel')).toBe(0.3);
    expect(split.get('rest, other threads')).toBeCloseTo(0.05);
    expect(sum(split)).toBeCloseTo(1.2);
  });

  it('never gives more to the helpers than they had', () => {
    const split = splitBySubsystem(cpu, shares, { collection: 0.15, compilation: 0.1 });
    expect(split.get('compilation, other threads')).toBeCloseTo(0.05);
    expect(sum(split)).toBeCloseTo(1.2);
  });

  it('of a kernel that took more than the system calls leaves the rest in proportion', () => {
    const split = splitBySubsystem({ ...cpu, mainUser: 0.5, mainKernel: 0.5 }, shares, {
      ...{ collection: 0, compilation: 0 },
    });
    expect(split.get('vault')).toBeCloseTo(0.5);
    expect(split.get('Node outside of JavaScript')).toBe(0);
  });
});
