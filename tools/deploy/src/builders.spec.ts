import { describe, expect, it } from '@jest/globals';
import { ScriptedPrograms } from '@sluice/kubectl';
import { findBuilder, ImageBuilder } from './builders.js';

const digest = `3f2a9c0d1e2f${'0'.repeat(52)}`;
const folder = '/repository';

describe('building images', () => {
  it('tags an image by its content, so that a changed one rolls out', async () => {
    const programs = new ScriptedPrograms(
      [
        { begins: 'docker image inspect', gives: [`sha256:${digest}\n`] },
        { begins: 'docker', gives: [''] },
      ],
      ['docker'],
    );
    const builder = new ImageBuilder('docker', programs, folder);
    const image = await builder.build({ name: 'sluice', file: 'docker/Dockerfile' });
    expect(image).toEqual({
      name: 'sluice',
      repository: 'localhost/sluice',
      tag: '3f2a9c0d1e2f',
    });
    expect(programs.calls).toEqual([
      '/repository$ docker build --file docker/Dockerfile --tag localhost/sluice:built .',
      '/repository$ docker image inspect --format {{.Id}} localhost/sluice:built',
      '/repository$ docker tag localhost/sluice:built localhost/sluice:3f2a9c0d1e2f',
    ]);
  });

  it('hands on what the images shall begin with', async () => {
    const programs = new ScriptedPrograms(
      [
        { begins: 'buildah inspect', gives: [digest] },
        { begins: 'buildah', gives: [''] },
      ],
      ['buildah'],
    );
    const builder = new ImageBuilder('buildah', programs, folder);
    await builder.build({ name: 'sluice', file: 'docker/Dockerfile', baseImage: 'node-base:24' });
    expect(programs.calls[0]).toBe(
      '/repository$ buildah build --layers --file docker/Dockerfile --tag localhost/sluice:built ' +
        '--build-arg BASE_IMAGE=node-base:24 .',
    );
  });

  it.each([
    ['docker', 'docker save --output /tmp/a.tar localhost/sluice:1'],
    ['podman', 'podman save --format docker-archive --output /tmp/a.tar localhost/sluice:1'],
    ['buildah', 'buildah push localhost/sluice:1 docker-archive:/tmp/a.tar:localhost/sluice:1'],
  ] as const)('writes an archive with %s', async (name, call) => {
    const programs = new ScriptedPrograms([{ begins: name }], [name]);
    const builder = new ImageBuilder(name, programs, folder);
    await builder.save({ name: 'sluice', repository: 'localhost/sluice', tag: '1' }, '/tmp/a.tar');
    expect(programs.calls).toEqual([`/repository$ ${call}`]);
  });

  it('takes the first that works', async () => {
    const programs = new ScriptedPrograms(
      [
        { begins: 'docker info', fails: 'Cannot connect to the Docker daemon' },
        { begins: 'podman' },
      ],
      ['docker', 'podman', 'buildah'],
    );
    expect((await findBuilder(programs, folder)).program).toBe('podman');
  });

  it('says what to install where nothing builds', async () => {
    const programs = new ScriptedPrograms([], []);
    await expect(findBuilder(programs, folder)).rejects.toThrow(
      'Nothing here builds images: one of docker, podman, buildah must be installed and running.',
    );
    await expect(findBuilder(programs, folder, 'docker')).rejects.toThrow(
      'docker does not answer "docker info": it is not installed or not running.',
    );
  });
});
