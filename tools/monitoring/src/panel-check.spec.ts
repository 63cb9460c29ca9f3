import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dashboard } from './dashboard.js';
import { checkPanels, expanded, resultLine } from './panel-check.js';

const scope = { namespace: 'here', fromSeconds: 100, toSeconds: 160, stepSeconds: 15 };
const dashboard: Dashboard = {
  ...{ title: 'Board', uid: 'board', description: 'For a test.' },
  rows: [
    {
      title: 'Row',
      panels: [
        {
          ...{ title: 'A < B', description: 'Lines.', unit: 's', width: 12 },
          queries: [
            { expr: 'full{namespace="$namespace"}', legend: '{{pod}}' },
            { expr: 'empty', legend: 'nothing' },
            { expr: 'nan', legend: 'nothing', isEmpty: 'at first' },
          ],
        },
        {
          ...{ title: 'Number', description: 'One.', unit: 'percentunit', width: 4, stat: {} },
          queries: [{ expr: 'wrong', legend: 'wrong' }],
        },
      ],
    },
  ],
};

/** Answers as Prometheus does. */
async function withPrometheus<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  const answers: Record<string, object> = {
    'full{namespace="here"}': [
      {
        metric: { pod: 'edge-0' },
        values: [
          [100, '0.5'],
          [160, '2'],
        ],
      },
    ],
    empty: [],
    nan: [{ metric: {}, values: [[100, 'NaN']] }],
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const result = answers[new URLSearchParams(body).get('query') ?? ''];
      const answer = { status: 'success', data: { resultType: 'matrix', result } };
      const refusal = { status: 'error', error: 'parse error' };
      response.end(JSON.stringify(result === undefined ? refusal : answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  } finally {
    server.close();
  }
}

describe('a check of panels', () => {
  it('says of every query what it gave', async () => {
    const results = await withPrometheus((url) => checkPanels([dashboard], scope, url));
    expect(results.map(resultLine)).toEqual([
      'ok      Board / A < B / {{pod}}: 1 series, 2 points',
      'no data Board / A < B / nothing: 0 series, 0 points',
      'ok      Board / A < B / nothing: none, as at first',
      'ERROR   Board / Number / wrong: parse error',
    ]);
  });

  it('says so when there is no Prometheus', async () => {
    const results = await checkPanels([dashboard], scope, 'http://127.0.0.1:1');
    expect(results.map(({ error }) => error)).toEqual(
      Array(4).fill('no answer of Prometheus at http://127.0.0.1:1'),
    );
  });

  it('puts values in the place of variables', () => {
    const text = 'rate(x{namespace="$namespace", service=~"$service"}[$__rate_interval])';
    expect(expanded(text, scope)).toBe('rate(x{namespace="here", service=~".+"}[1m])');
  });
});
