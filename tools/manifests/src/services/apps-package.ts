import { serviceNames, serviceRow } from '@sluice/contracts';

/** `apps/all/package.json`, which depends on the app of every service. */
export function appsPackage(text: string): string {
  const manifest = JSON.parse(text) as Manifest;
  const [version = ''] = Object.values(manifest.dependencies);
  const others = ['contracts', 'messaging', 'service'];
  const names = new Set([...serviceNames.map((name) => serviceRow(name).folder), ...others]);
  const dependencies = Object.fromEntries(
    [...names].sort().map((name) => [`@sluice/${name}`, version]),
  );
  return `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}
