import { isThere, type Programs } from '@sluice/kubectl';
import { DeployRefused } from './deploy-refused.js';

/** The programs that build a Dockerfile. */
export const builderNames = ['docker', 'podman', 'buildah'] as const;

/** One of them. */
export type BuilderName = (typeof builderNames)[number];

/** One image that the local overlay needs. */
export interface ImagePlan {
  /** As the manifests call it. */
  readonly name: string;
  /** Its Dockerfile, from the repository's root. */
  readonly file: string;
  /** Absent: the one that the Dockerfile names. */
  readonly baseImage?: string | undefined;
}

/** An image that was built: its tag is its content, so that a changed one rolls out (D-56). */
export interface BuiltImage {
  readonly name: string;
  /** As the nodes know it, without the tag. */
  readonly repository: string;
  readonly tag: string;
}

/** So many digits of its digest are enough to tell the images of one machine apart. */
const TAG_CHARACTERS = 12;
/** A host that no registry has: nothing is ever fetched by this name. */
const HOST = 'localhost';
const DIGEST = /^(?:sha256:)?([0-9a-f]{64})$/;

/** Turns Dockerfiles into images and images into archives. */
export class ImageBuilder {
  constructor(
    readonly program: BuilderName,
    private readonly programs: Programs,
    /** The repository, which is what the Dockerfiles copy from. */
    private readonly folder: string,
  ) {}

  /** Builds it and gives it the tag that its content calls for. */
  async build({ name, file, baseImage }: ImagePlan): Promise<BuiltImage> {
    const repository = `${HOST}/${name}`;
    const latest = `${repository}:built`;
    await this.#run([
      ...(this.program === 'buildah' ? ['build', '--layers'] : ['build']),
      ...['--file', file, '--tag', latest],
      ...(baseImage === undefined ? [] : ['--build-arg', `BASE_IMAGE=${baseImage}`]),
      '.',
    ]);
    const tag = await this.#contentOf(latest);
    await this.#run(['tag', latest, `${repository}:${tag}`]);
    return { name, repository, tag };
  }

  /** Writes an archive that every container runtime reads. */
  async save({ repository, tag }: BuiltImage, archive: string): Promise<void> {
    const name = `${repository}:${tag}`;
    const words = {
      docker: ['save', '--output', archive, name],
      podman: ['save', '--format', 'docker-archive', '--output', archive, name],
      buildah: ['push', name, `docker-archive:${archive}:${name}`],
    };
    await this.#run(words[this.program]);
  }

  async #contentOf(image: string): Promise<string> {
    const words = {
      docker: ['image', 'inspect', '--format', '{{.Id}}', image],
      podman: ['image', 'inspect', '--format', '{{.Id}}', image],
      buildah: ['inspect', '--type', 'image', '--format', '{{.FromImageID}}', image],
    };
    const digest = DIGEST.exec((await this.#run(words[this.program])).trim())?.[1];
    if (digest === undefined) throw new Error(`${this.program} does not tell the digest of images`);
    return digest.slice(0, TAG_CHARACTERS);
  }

  #run(words: readonly string[]): Promise<string> {
    return this.programs.run(this.program, words, { folder: this.folder });
  }
}

/** The builder that was asked for, or the first that works here. Throws DeployRefused. */
export async function findBuilder(
  programs: Programs,
  folder: string,
  wished?: BuilderName,
): Promise<ImageBuilder> {
  for (const name of wished === undefined ? builderNames : [wished]) {
    // A docker without its daemon is none; only `info` asks for it.
    if (await isThere(programs, name, ['info'])) return new ImageBuilder(name, programs, folder);
  }
  throw new DeployRefused(
    wished === undefined
      ? `Nothing here builds images: one of ${builderNames.join(', ')} must be installed and running.`
      : `${wished} does not answer "${wished} info": it is not installed or not running.`,
  );
}
