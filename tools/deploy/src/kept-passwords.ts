import type { KubernetesCluster } from '@sluice/kubectl';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeployRefused } from './deploy-refused.js';

/** Where `npm run k8s:secrets` keeps what only PostgreSQL mounts, within the overlay. */
const PASSWORDS = 'secrets/postgres/secrets';

/**
 * Throws DeployRefused where PostgreSQL runs in the namespace already with other passwords than the
 * folder's. A database keeps the passwords it began with: new ones would lock every service out.
 */
export async function checkKeptPasswords(
  cluster: KubernetesCluster,
  overlay: string,
): Promise<void> {
  const mounted = await cluster.mountedSecret('statefulset/postgres', 'secrets');
  for (const [name, value] of Object.entries(mounted ?? {})) {
    const kept = await readFile(join(overlay, PASSWORDS, name)).catch(() => undefined);
    if (kept?.toString('base64') === value) continue;
    throw new DeployRefused(
      'The cluster has a Sluice that was deployed from another folder, with passwords and keys that are not ' +
        'in this one; with new ones it could not read its own data. Deploy from that folder, or copy its ' +
        'k8s/overlays/local/secrets here. "npm run deploy:local -- --reset" begins anew and deletes all data.',
    );
  }
}
