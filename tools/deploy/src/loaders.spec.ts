import { describe, expect, it } from '@jest/globals';
import { ScriptedPrograms } from '@sluice/kubectl';
import { load, loaderFor } from './loaders.js';

async function callsOf(context: string, command?: string): Promise<readonly string[]> {
  const programs = new ScriptedPrograms(
    ['kind', 'minikube', 'k3d', 'sh'].map((begins) => ({ begins })),
    ['kind', 'minikube', 'k3d', 'sh'],
  );
  await load(loaderFor(context, 'docker', command), '/tmp/a.tar', programs);
  return programs.calls;
}

describe('bringing images to the nodes', () => {
  it.each([
    ['kind-sluice', 'kind load image-archive /tmp/a.tar --name sluice'],
    ['minikube', 'minikube image load /tmp/a.tar'],
    ['k3d-trial', 'k3d image import /tmp/a.tar --cluster trial'],
  ])('knows how from the context %s', async (context, call) => {
    expect(await callsOf(context)).toEqual([call]);
  });

  it('brings nothing where nodes run on the images of docker', async () => {
    expect(await callsOf('docker-desktop')).toEqual([]);
    expect(await callsOf('anything', 'none')).toEqual([]);
  });

  it('does it as somebody said, before everything that it knows', async () => {
    expect(await callsOf('kind-sluice', 'sudo ctr -n k8s.io images import')).toEqual([
      'sh -c sudo ctr -n k8s.io images import "$1" load /tmp/a.tar',
    ]);
  });

  it('does not guess how images get to a cluster of another name', () => {
    expect(() => loaderFor('company-production', 'docker', undefined)).toThrow(
      'kubectl\'s context is "company-production", and how images get to its nodes is not known.',
    );
    // The nodes of docker-desktop know nothing of what podman builds.
    expect(() => loaderFor('docker-desktop', 'podman', undefined)).toThrow('is not known');
  });
});
