import { describe, expect, it } from '@jest/globals';
import {
  networkPolicies,
  networkPoliciesFile,
  simulatorPoliciesFile,
  topicsPoliciesFile,
} from './network-policies.js';

describe('network policies', () => {
  it('open both ends of each way, and nothing else', () => {
    const policies = networkPolicies([
      { from: 'edge', to: 'vault', port: 'internal' },
      { from: 'vault', to: 'postgres', port: 'postgres' },
    ]);
    expect(policies.map(({ metadata, spec }) => [metadata.name, spec.policyTypes])).toEqual([
      ['edge', ['Egress']],
      ['postgres', ['Ingress']],
      ['vault', ['Ingress', 'Egress']],
    ]);
    expect(policies[2]!.spec.ingress).toEqual([
      {
        from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'edge' } } }],
        ports: [{ protocol: 'TCP', port: 8443 }],
      },
    ]);
    expect(policies[2]!.spec.egress).toEqual([
      {
        to: [{ podSelector: { matchLabels: { 'sluice/engine': 'postgres' } } }],
        ports: [{ protocol: 'TCP', port: 5432 }],
      },
    ]);
  });

  it('know a simulator where there is one alone', () => {
    expect(networkPoliciesFile()).not.toContain('simulator');
    expect(simulatorPoliciesFile()).toContain('name: payments-to-simulator');
  });

  it('know the job that makes topics where there is one alone', () => {
    expect(networkPoliciesFile()).not.toContain('topics');
    expect(topicsPoliciesFile()).toContain('name: kafka-from-topics');
  });
});
