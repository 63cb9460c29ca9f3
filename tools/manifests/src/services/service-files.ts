import { SECOND_CELL, serviceNames, workloadOfCell } from '@sluice/contracts';
import { appsPackage } from './apps-package.js';
import { alertRules } from './alert-rules.js';
import { cellServices } from '../cell-workloads.js';
import { baseFolder, cellFolder } from './base-folder.js';
import { composeFile } from './compose-file.js';
import { dockerfile } from './dockerfile.js';
import { localKustomization } from './local-overlay.js';
import {
  postgresCluster,
  productionKustomization,
  replicasFile,
  serviceCertificatesFile,
  vaultPostgresKustomization,
} from './production-overlay.js';

import { servicesPage } from './services-page.js';

/** A file of the repository that follows from the table of services, wholly or in parts. */
export interface ServiceFile {
  /** Relative to the root. */
  readonly path: string;
  /** Takes what is there now, which is empty where the file is new. */
  readonly make: (text: string) => string;
}

/** All of them. */
export function serviceFiles(): readonly ServiceFile[] {
  const production = 'k8s/overlays/production';
  return [
    ...serviceNames.flatMap((name) =>
      Object.entries(baseFolder(name)).map(([file, text]) => ({
        path: `k8s/base/${name}/${file}`,
        make: () => text,
      })),
    ),
    ...cellServices.flatMap((name) =>
      Object.entries(cellFolder(name, SECOND_CELL)).map(([file, text]) => ({
        path: `k8s/components/second-cell/${workloadOfCell(name, SECOND_CELL)}/${file}`,
        make: () => text,
      })),
    ),
    { path: 'k8s/overlays/local/kustomization.yaml', make: localKustomization },
    { path: `${production}/kustomization.yaml`, make: productionKustomization },
    { path: `${production}/replicas.yaml`, make: replicasFile },
    { path: `${production}/service-certificates.yaml`, make: serviceCertificatesFile },
    { path: `${production}/postgres/cluster.yaml`, make: postgresCluster },
    {
      path: 'k8s/components/vault-postgres/kustomization.yaml',
      make: vaultPostgresKustomization,
    },
    { path: 'k8s/components/monitoring/rules.yaml', make: alertRules },
    { path: 'docker/compose.yaml', make: composeFile },
    { path: 'docker/Dockerfile', make: dockerfile },
    { path: 'apps/all/package.json', make: appsPackage },
    { path: 'docs/reference/services.md', make: servicesPage },
  ];
}
