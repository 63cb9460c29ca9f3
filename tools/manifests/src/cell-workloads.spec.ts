import { describe, expect, it } from '@jest/globals';
import { cellOf, cellsIn, cellServices, serviceOf } from './cell-workloads.js';
import { object, overlayWith, payments, workload } from './manifests-fixtures.js';
import { flowsOfCell } from './network-policies.js';
import { ownRules } from './own-rules.js';

const second = workload({ name: 'payments-2' });

describe('the workloads of a second cell', () => {
  it('are those that come to the tables of payments', () => {
    expect(cellServices).toEqual(['payments', 'payments-relay']);
  });

  it('are known by their number, and a vault is not a cell', () => {
    const names = ['payments', 'payments-2', 'payments-relay-2', 'postgres-64', 'vault-2'];
    expect(names.map((name) => [serviceOf(name), cellOf(name)])).toEqual([
      ['payments', 1],
      ['payments', 2],
      ['payments-relay', 2],
      ['postgres', 64],
      ['vault-2', 1],
    ]);
  });

  it('make an overlay one with two cells', () => {
    expect(cellsIn(overlayWith([payments]))).toBe(1);
    expect(cellsIn(overlayWith([payments, second]))).toBe(2);
  });

  it('have the ways of the first cell, for their own pods', () => {
    const ways = flowsOfCell(2).map(({ from, to }) => `${from} ${to}`);
    expect(ways).toEqual(
      expect.arrayContaining(['edge payments-2', 'payments-2 vault', 'payments-relay-2 postgres']),
    );
    expect(ways.filter((way) => !way.includes('-2'))).toEqual([]);
  });

  it('may have the certificates of payments, and no secrets of the first cell', () => {
    const mounting = (secretName: string) =>
      overlayWith([
        workload({ name: 'payments-2', pod: { volumes: [{ name: 's', secret: { secretName } }] } }),
      ]);
    const rule = ownRules['secrets in the pods that they are for']!;
    for (const name of ['payments-2-secrets', 'payments-tls', 'kafka-payments']) {
      expect(rule(mounting(name))).toEqual([]);
    }
    expect(rule(mounting('payments-secrets')).join()).toContain('which is not its own');
  });
});

describe('the connections of two cells', () => {
  const rule = ownRules['connections that the databases take']!;
  const file = (max: number) =>
    object('ConfigMap', 'postgres-settings', {
      data: { 'postgresql.conf': `max_connections = ${max}` },
    });
  const server = (name: string) => {
    const labels = { 'app.kubernetes.io/component': 'database' };
    return { ...workload({ name }), kind: 'StatefulSet', metadata: { name, labels } };
  };
  const cells = [payments, second, server('postgres'), server('postgres-2')];

  it('are counted for each server, with those who come to it', () => {
    expect(rule(overlayWith([file(36), ...cells]))).toEqual([]);
    const problems = rule(overlayWith([file(35), ...cells]));
    expect(problems).toEqual([
      expect.stringContaining(
        'postgres-settings: 16 connections may be asked for (payments 2 × 8)',
      ),
      expect.stringContaining('in cell 2: 16 connections may be asked for (payments-2 2 × 8)'),
    ]);
  });
});
