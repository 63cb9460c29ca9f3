import { describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import { houseRules } from '../../lint-rules.mjs';

/** How often a rule complains about a text. */
function complaints(rule: string, code: string): number {
  const messages = new Linter().verify(code, {
    plugins: { sluice: houseRules },
    rules: { [`sluice/${rule}`]: 'error' },
  });
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  return messages.length;
}

describe.each([
  [
    'no-float-money',
    [
      'parseFloat(text)',
      'Number(text)',
      'Number.parseFloat(text)',
      'amount.toFixed(2)',
      '+text',
      'amount.toPrecision(3)',
    ],
    ['Number.isInteger(amount)', 'BigInt(digits)', 'a + b', 'Number.MAX_SAFE_INTEGER', '-amount'],
  ],
  [
    'no-built-sql',
    [
      'pool.query(`SELECT * FROM t WHERE id = ${id}`)',
      "client.query('SELECT * FROM t WHERE id = ' + id)",
      'this.pool.query({ text: `DELETE FROM ${table}`, values: [] })',
    ],
    [
      "pool.query('SELECT 1')",
      'pool.query(`SELECT 1`)',
      "pool.query('SELECT * FROM t WHERE id = $1', [id])",
      'pool.query(statements.append, [id])',
    ],
  ],
  [
    'secret-readers',
    ['pan.reveal()', 'card.number.reveal()', 'card?.cvv?.reveal()'],
    ['vault.reveal(reference)', 'reveal()'],
  ],
  [
    'error-log-key',
    [
      "logger.warn({ error }, 'text')",
      "this.logger.error({ ndc, error: cause }, 'text')",
      "this.parts.logger.error({ error }, 'text')",
      "class A { #logger; b(error) { this.#logger.error({ error }, 'text'); } }",
    ],
    ["logger.warn({ err: error }, 'text')", 'reply.send({ error })', "logger.info('text', { a })"],
  ],
  [
    'time-of-entity',
    ['Date.now()', 'clock.now()', 'this.parts.clock.now()', 'new Date()'],
    [
      'clock.now(entityId)',
      'machine.now()',
      'this.parts.machine.now()',
      'performance.now()',
      'subscriptions.now()',
      'this.now()',
      'new Date(metadata.recordedAtMs)',
    ],
  ],
  [
    'no-clock-in-domain',
    [
      'Date.now()',
      'new Date()',
      'performance.now()',
      'Math.random()',
      'randomUUID()',
      'setTimeout(later, 5)',
    ],
    ['new Date(metadata.now)', 'metadata.now', 'Math.min(a, b)'],
  ],
])('%s', (rule, refused, allowed) => {
  it.each(refused)('refuses %s', (code) => {
    expect(complaints(rule, code)).toBe(1);
  });

  it.each(allowed)('allows %s', (code) => {
    expect(complaints(rule, code)).toBe(0);
  });
});

describe('function-length', () => {
  const lines = (count: number) => Array.from({ length: count }, () => 'call();').join('\n');

  it('refuses a function of more than 60 lines, counting neither comments nor blank lines', () => {
    expect(complaints('function-length', `function a() {\n${lines(58)}\n}`)).toBe(0);
    expect(complaints('function-length', `function a() {\n// why\n\n${lines(58)}\n}`)).toBe(0);
    expect(complaints('function-length', `function a() {\n${lines(59)}\n}`)).toBe(1);
  });

  it('lets a suite be as long as it has tests, but no test of it', () => {
    const long = `() => {\n${lines(59)}\n}`;
    expect(complaints('function-length', `describe('a', () => { it('b', ${long}); })`)).toBe(1);
    const short = Array.from({ length: 60 }, () => "it('b', () => {});").join('\n');
    expect(complaints('function-length', `describe('a', () => {\n${short}\n})`)).toBe(0);
    expect(complaints('function-length', `function rules() {\n${short}\n}`)).toBe(0);
  });
});
