import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Renewal } from './certificates.js';
import { leaves } from './leaves.js';

/** Where the local overlay reads them; git ignores it. */
const OUTPUT = fileURLToPath(new URL('../../../k8s/overlays/local/secrets', import.meta.url));

const owners = [...new Set(leaves.map(({ owner }) => owner))];

/** What `--help` prints. */
export const USAGE = `Usage: npm run k8s:secrets -- [flags]

Makes the certificates, keys, passwords and database addresses of the local overlay. What is there
already stays.

  --output DIR    another folder than k8s/overlays/local/secrets
  --renew NAME    new certificates for NAME, several times if need be: ${owners.slice(0, 3).join(', ')},
                  ${owners.slice(3).join(', ')},
                  all, or authority for everything including the authorities
  --seed FILE     the channels that accounts begins with
  --dummies       worthless ones, with which the overlay can be rendered and nothing can run
`;

/** What was typed. */
export interface CommandLine {
  /** Absolute. */
  readonly output: string;
  readonly dummies: boolean;
  readonly renewal: Renewal;
  /** A path. */
  readonly seed?: string;
}

/** Undefined when it asks for help. Throws an Error with a sentence about what is wrong. */
export function readCommandLine(words: readonly string[]): CommandLine | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      output: { type: 'string', default: OUTPUT },
      renew: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      dummies: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const known = new Set([...owners, 'all', 'authority']);
  const unknown = values.renew.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new Error(
      `There is no certificate of "${unknown}"; there are: ${[...known].join(', ')}.`,
    );
  }
  if (values.dummies && values.renew.length > 0) {
    throw new Error('--dummies has nothing that could be renewed.');
  }
  const isAll = values.renew.includes('all');
  return {
    output: resolve(values.output),
    dummies: values.dummies,
    renewal: {
      owners: new Set(isAll ? owners : values.renew),
      authorities: values.renew.includes('authority'),
    },
    ...(values.seed !== undefined && { seed: values.seed }),
  };
}
