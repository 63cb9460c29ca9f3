import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readCommandLine } from './command-line.js';
import { processesOf, prometheusConfiguration } from './local-prometheus.js';

const processes = [
  { name: 'kafka', service: 'kafka' },
  { name: 'relay', service: 'relay', management: 'http://127.0.0.1:30163' },
  { name: 'vault-1', service: 'vault', management: 'http://127.0.0.1:30169' },
];

describe('a Prometheus without an operator', () => {
  it('scrapes every process under the labels that it would have in Kubernetes', () => {
    const { scrape_configs: jobs } = parse(prometheusConfiguration(processes, 'rules.yml')) as {
      scrape_configs: readonly { static_configs: unknown }[];
    };
    expect(jobs[0]?.static_configs).toEqual([
      {
        targets: ['127.0.0.1:30163'],
        labels: { namespace: 'sluice', service: 'payments-relay', pod: 'relay' },
      },
      {
        targets: ['127.0.0.1:30169'],
        labels: { namespace: 'sluice', service: 'vault', pod: 'vault-1' },
      },
    ]);
  });

  it('needs a cluster that runs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-monitoring-'));
    try {
      expect(() => processesOf(folder)).toThrow('There is no running cluster');
      writeFileSync(join(folder, 'installation.json'), JSON.stringify({ processes }));
      expect(processesOf(folder)).toEqual(processes);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the command line', () => {
  it('writes a configuration, or checks panels', () => {
    const read = (line: string) => readCommandLine(line.split(' '), '/here');
    expect(read('config --output p --data /d')).toMatchObject({
      wish: { command: 'config', output: '/here/p', dataFolder: '/d' },
    });
    expect(read('check --minutes 2')).toMatchObject({
      wish: {
        ...{ command: 'check', url: 'http://127.0.0.1:9090', namespace: 'sluice', minutes: 2 },
      },
    });
  });

  it.each([
    [[], /Missing required argument 'what'/],
    [['draw'], /Allowed choices are config, check/],
    [['check', '--url', 'nowhere'], /It must be a URL/],
    [['check', '--minutes', '0'], /from 1 to 43200/],
    [['config', '--url', 'http://127.0.0.1:1'], /--url does nothing with config/],
  ])('refuses %j', (words, sentence) => {
    const read = readCommandLine(words, '/here');
    expect(read.kind === 'refused' ? read.reason : read).toMatch(sentence);
  });
});
