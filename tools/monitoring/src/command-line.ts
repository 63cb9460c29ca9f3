import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LOCAL_NAMESPACE } from './local-prometheus.js';

const CLUSTER_FOLDER = fileURLToPath(new URL('../../../.sluice-cluster', import.meta.url));
const MINUTES_DEFAULT = 5;

/** What `--help` prints. */
export const USAGE = `Usage: npm run monitoring -- config | check [flags]

  config            writes prometheus.yml and rules.yml, for a Prometheus without an operator
    --output DIR    where to; the folder you are in unless told
    --data FOLDER   the data folder of the local cluster to scrape (.sluice-cluster)
    --runbooks URL  where docs/runbooks is read

  check             asks a Prometheus what every panel of the dashboards would ask
    --url URL       http://127.0.0.1:9090 unless told
    --namespace N   ${LOCAL_NAMESPACE} unless told
    --minutes N     how far back, ${String(MINUTES_DEFAULT)} unless told
    --picture FILE  draws the panels of the overview into an SVG file besides

Exit codes: 0 done, 1 a query was refused or gave no data, 2 wrong usage.
`;

/** What was typed. */
export type CommandLine =
  | {
      readonly command: 'config';
      readonly output: string;
      readonly dataFolder: string;
      readonly runbooks?: string;
    }
  | {
      readonly command: 'check';
      readonly url: string;
      readonly namespace: string;
      readonly minutes: number;
      readonly picture?: string;
    };

/** Undefined when it asks for help. Throws an Error with a sentence about what is wrong. */
export function readCommandLine(words: readonly string[], folder: string): CommandLine | undefined {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      output: { type: 'string', default: '.' },
      data: { type: 'string', default: CLUSTER_FOLDER },
      runbooks: { type: 'string' },
      url: { type: 'string', default: 'http://127.0.0.1:9090' },
      namespace: { type: 'string', default: LOCAL_NAMESPACE },
      minutes: { type: 'string', default: String(MINUTES_DEFAULT) },
      picture: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const [command, ...more] = positionals;
  if (more.length > 0 || (command !== 'config' && command !== 'check')) {
    throw new Error('Say one of: config, check.');
  }
  if (command === 'config') {
    const { output, data, runbooks } = values;
    const paths = { output: resolve(folder, output), dataFolder: resolve(folder, data) };
    return { command, ...paths, ...(runbooks === undefined ? {} : { runbooks }) };
  }
  const { url, namespace, picture } = values;
  const minutes = Number(values.minutes);
  if (!URL.canParse(url)) throw new Error(`"${url}" is no URL.`);
  if (!(minutes > 0)) throw new Error(`"${values.minutes}" is no number of minutes.`);
  return {
    ...{ command, url, namespace, minutes },
    ...(picture === undefined ? {} : { picture: resolve(folder, picture) }),
  };
}
