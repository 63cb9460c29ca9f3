import { extension } from './message-extension.js';

type Wish = readonly [name: string, valueOf: (text: string) => number | string];

const asItIs = (text: string): string => text;

/** What a test says by `customParameters[3DS2_…]`, and what the simulator's issuers call it. */
const wishes: Readonly<Record<string, Wish>> = {
  '3DS2_enrolled': ['enrolled', asItIs],
  '3DS2_flow': ['flow', asItIs],
  '3DS2_status': ['status', asItIs],
  '3DS2_delay': ['delayMs', Number],
  '3DS2_fault': ['fault', asItIs],
};

/** The simulator's issuers do what a test wants, whatever card it has. An empty word wants nothing. */
export function testWishes(parameters: Readonly<Record<string, string>>): readonly object[] {
  const data = Object.entries(wishes).flatMap(([parameter, [name, valueOf]]) => {
    const text = parameters[`customParameters[${parameter}]`] ?? '';
    return text === '' ? [] : [[name, valueOf(text)] as const];
  });
  return data.length === 0 ? [] : [extension('Test', 'SLUICE-TEST', Object.fromEntries(data))];
}
