import { describe, expect, it } from '@jest/globals';
import { LineConsole } from '@sluice/local-installation';
import { ClusterLog } from './cluster-log.js';

function logOf(isColoured = false): { log: ClusterLog; text: () => string } {
  let text = '';
  const sink = { write: (more: string) => ((text += more), true), once: () => undefined };
  const names = ['edge', 'payments-0'];
  const log = new ClusterLog(new LineConsole(sink), { level: 'warn', names, isColoured });
  return {
    log,
    text: () => {
      log.flush();
      return text;
    },
  };
}

const request = {
  ...{ level: 'info', time: 'then', service: 'edge', msg: 'request' },
  ...{ method: 'POST', path: '/v1/payments', status: 200, resultCode: '000.100.110' },
  ...{ durationMs: 3.6, ndc: 'n' },
};

describe("the cluster's log", () => {
  it('begins each line with who wrote it', () => {
    const { log, text } = logOf();
    log.write('edge', JSON.stringify(request));
    log.write(
      'payments-0',
      '{"level":"warn","service":"payments","msg":"Slow.","err":{"code":"X"}}',
    );
    log.write('payments-0', 'not of a logger {');
    log.say('edge', 'is back');
    expect(text()).toBe(
      'edge        POST /v1/payments 200 000.100.110 4 ms\n' +
        'payments-0  warn: Slow. {"err":{"code":"X"}}\n' +
        'payments-0  not of a logger {\n' +
        'edge        is back\n',
    );
  });

  it('leaves out what is weaker than its level, and still returns it', () => {
    const { log, text } = logOf();
    const line = log.write('payments-0', '{"level":"info","msg":"Takes work.","openAtStart":2}');
    expect(line).toMatchObject({ openAtStart: 2 });
    expect(log.write('payments-0', '{"level":"fatal","msg":"Stuck."}')).toBeDefined();
    expect(text()).toBe('payments-0  fatal: Stuck.\n');
  });

  it('has a colour per process on a terminal', () => {
    const { log, text } = logOf(true);
    log.say('edge', 'one');
    log.say('payments-0', 'two');
    expect(text()).toBe('\u001B[36medge      \u001B[0m  one\n\u001B[32mpayments-0\u001B[0m  two\n');
  });
});
