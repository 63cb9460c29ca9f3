/** Higher than any bench goes: rules are to be applied, and none to refuse. */
const NEVER = 1_000_000;

const velocity = [
  { by: 'card', within: '1h', atMost: NEVER },
  { by: 'card', within: '1d', atMostSum: '99999999.00', currency: 'EUR' },
  { by: 'email', within: '1d', counts: 'passed', atMost: NEVER },
  { by: 'ip', within: '10m', atMost: NEVER },
  { by: 'customer', within: '7d', atMost: NEVER },
].map((each) => ({ velocity: each }));

/** So many of the rules count. */
export const VELOCITY_WINDOWS = velocity.length;

const numbers = (count: number, digits: number) =>
  Array.from({ length: count }, (_, at) => String(at).padStart(digits, '5'));
const listed = [
  { by: 'bin', values: numbers(1_000, 6) },
  { by: 'emailDomain', values: numbers(500, 3).map((each) => `d${each}.example`) },
  { by: 'country', values: ['KP', 'SY', 'CU'] },
  { by: 'ipRange', values: ['198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'] },
  { by: 'customer', values: numbers(500, 5).map((each) => `other-${each}`) },
].map((list) => ({ list }));

const compared = [
  { amount: { above: '500.00', currency: 'EUR' } },
  { amount: { above: '700.00', currency: 'USD' } },
  { amount: { below: '1.00', currency: 'EUR' } },
  { countriesDiffer: ['issuer', 'billing'] },
  { countriesDiffer: ['billing', 'shipping'] },
  { timeOfDay: { from: '03:00', until: '03:01', timeZone: 'Europe/Berlin' } },
];

const computed = [
  { '>': [{ var: 'amountMinor' }, 50_000] },
  { in: [{ var: 'brand' }, ['AMEX', 'DINERS']] },
  { and: [{ '==': [{ var: 'mode' }, 'LIVE'] }, { '!': [{ var: 'email' }] }] },
  { '==': [{ var: 'parameters.risk\\.parameters[tier]' }, 'new'] },
].map((expression) => ({ expression }));

/** Twenty rules as a shop may have them. What they add leads to nothing, so that all payments pass. */
export const benchRules = {
  rules: [...velocity, ...listed, ...compared, ...computed].map((when, at) => ({
    ...{ id: `rule-${at + 1}`, name: `Rule ${at + 1} of the bench`, when, score: 1 },
  })),
};
