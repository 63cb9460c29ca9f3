import { localName, serviceNames } from '@sluice/contracts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** A process of the local cluster, as far as scraping needs it. */
export interface ScrapedProcess {
  readonly name: string;
  readonly service: string;
  /** `http://127.0.0.1:30159` */
  readonly management?: string;
}

/** In Kubernetes the label of the namespace; here there is none, but dashboards and alerts go by it. */
export const LOCAL_NAMESPACE = 'sluice';

/** What Kubernetes calls a workload that the cluster of one machine may call shorter. */
function workloadOf(service: string): string {
  return serviceNames.find((name) => localName(name) === service) ?? service;
}

/** The processes of the cluster whose data folder this is. Throws where none runs. */
export function processesOf(dataFolder: string): readonly ScrapedProcess[] {
  const path = join(dataFolder, 'installation.json');
  try {
    const { processes } = JSON.parse(readFileSync(path, 'utf8')) as {
      processes: readonly ScrapedProcess[];
    };
    return processes;
  } catch (error) {
    throw new Error(`There is no running cluster: ${path} cannot be read.`, { cause: error });
  }
}

/** A configuration of Prometheus with the labels that pod-monitor.yaml gives in Kubernetes. */
export function prometheusConfiguration(
  processes: readonly ScrapedProcess[],
  rulesFile: string,
): string {
  const targets = processes.flatMap(({ name, service, management }) =>
    management === undefined
      ? []
      : [
          {
            targets: [new URL(management).host],
            labels: {
              namespace: LOCAL_NAMESPACE,
              service: workloadOf(service),
              pod: name,
            },
          },
        ],
  );
  return stringify({
    global: { scrape_interval: '5s', evaluation_interval: '15s' },
    rule_files: [rulesFile],
    scrape_configs: [
      {
        job_name: 'sluice',
        static_configs: targets,
        metric_relabel_configs: [{ action: 'labeldrop', regex: 'exported_service' }],
      },
    ],
  });
}
