import type { Programs } from '@sluice/kubectl';
import type { BuilderName } from './builders.js';
import { DeployRefused } from './deploy-refused.js';

/** Brings an image's archive to the nodes of a cluster. */
export type Loader =
  /** The nodes see the builder's images by themselves. */
  | { readonly kind: 'none' }
  | { readonly kind: 'program'; readonly file: string; words(archive: string): readonly string[] }
  /** A command line of the person who deploys; the archive's path is put behind it. */
  | { readonly kind: 'command'; readonly command: string };

/** The clusters whose name in the context tells how images get there. */
const KNOWN: readonly {
  readonly context: RegExp;
  loader(cluster: string): Loader;
}[] = [
  {
    context: /^kind-(.+)$/,
    loader: (cluster) => ({
      kind: 'program',
      file: 'kind',
      words: (archive) => ['load', 'image-archive', archive, '--name', cluster],
    }),
  },
  {
    context: /^(minikube)$/,
    loader: () => ({
      kind: 'program',
      file: 'minikube',
      words: (archive) => ['image', 'load', archive],
    }),
  },
  {
    context: /^k3d-(.+)$/,
    loader: (cluster) => ({
      kind: 'program',
      file: 'k3d',
      words: (archive) => ['image', 'import', archive, '--cluster', cluster],
    }),
  },
];

/** Clusters whose nodes run on docker's own images. */
const WITHOUT_LOADING = new Set(['docker-desktop', 'orbstack', 'rancher-desktop']);

/**
 * How images get to the nodes of this context. Throws DeployRefused for a cluster that is not known
 * by its name: it may be anybody's, so that somebody must say.
 */
export function loaderFor(
  context: string,
  builder: BuilderName,
  command: string | undefined,
): Loader {
  if (command === 'none') return { kind: 'none' };
  if (command !== undefined) return { kind: 'command', command };
  if (WITHOUT_LOADING.has(context) && builder === 'docker') return { kind: 'none' };
  for (const known of KNOWN) {
    const cluster = known.context.exec(context)?.[1];
    if (cluster !== undefined) return known.loader(cluster);
  }
  throw new DeployRefused(
    `kubectl's context is "${context}", and how images get to its nodes is not known. Say the ` +
      'command that takes an archive to them, for example --load-with "sudo ctr -n k8s.io images ' +
      'import", or --load-with none when they see the images that are built here.',
  );
}

/** Runs it for one archive. */
export async function load(loader: Loader, archive: string, programs: Programs): Promise<void> {
  switch (loader.kind) {
    case 'none':
      return;
    case 'program':
      await programs.run(loader.file, loader.words(archive));
      return;
    case 'command':
      // Through a shell, because it is a command line; the path is an argument of its own.
      await programs.run('sh', ['-c', `${loader.command} "$1"`, 'load', archive]);
      return;
  }
}
