import { DEMO_ACCESS_TOKEN, DEMO_ENTITY_ID, parseSeed } from '@sluice/domain-accounts';
import {
  Forwarding,
  isReached,
  keepsOldPods,
  KubernetesCluster,
  NAMESPACE,
  type Programs,
} from '@sluice/kubectl';
import { greeting, readSeedFile } from '@sluice/local-installation';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type BuiltImage, findBuilder, type ImageBuilder, type ImagePlan } from './builders.js';
import type { DeployWish } from './command-line.js';
import { DeployRefused } from './deploy-refused.js';
import { imagesComponent } from './images-component.js';
import { cellsToDeploy, releaseOf } from './cells-to-deploy.js';
import { checkKeptPasswords } from './kept-passwords.js';
import { load, type Loader, loaderFor } from './loaders.js';
import { waitForRollout } from './rollout.js';
import { payByRegistration, payOnce } from './trial-payment.js';

/** What a deployment is made of. */
export interface DeploymentParts {
  readonly wish: DeployWish;
  /** The repository. */
  readonly folder: string;
  readonly programs: Programs;
  /** Aborted when the person has lost patience. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Where the command that is said beside it brings the reference page to. */
const REFERENCE_URL = 'http://127.0.0.1:8081';
/** `npm run k8s:secrets`. */
const MAKE_SECRETS = ['tools/run.mjs', 'tools/k8s-secrets/dist/main.js'];
const POLL_INTERVAL_MS = 1_000;
/** kube-proxy needs a moment to open the port of a node. */
const REACH_ATTEMPTS = 10;

/** The local overlay from source to a payment, on the cluster of the current context. */
export class Deployment {
  readonly #cluster: KubernetesCluster;
  readonly #overlay: string;
  #forwarding: Forwarding | undefined;

  constructor(private readonly parts: DeploymentParts) {
    this.#cluster = new KubernetesCluster(parts.programs);
    this.#overlay = join(parts.folder, 'k8s/overlays/local');
  }

  /**
   * Everything in order; the last that it says is the ready line and what to do next. Stays as long
   * as it forwards a port, where the nodes cannot be reached.
   */
  async run(): Promise<void> {
    const { wish, programs, folder, say } = this.parts;
    await this.#checkSeed();
    const context = await this.#cluster.context();
    say(`The cluster is that of kubectl's context "${context}".`);
    if (wish.remove || wish.reset) {
      await this.#cluster.remove();
      say(`The namespace ${NAMESPACE} and its data are deleted.`);
      if (wish.remove) return;
    }
    // Before anything is built: nobody waits minutes for a refusal.
    await checkKeptPasswords(this.#cluster, this.#overlay);
    const cells = cellsToDeploy(await this.#cluster.workloads(), wish.cells);
    const builder = await findBuilder(programs, folder, wish.builder);
    const loader = loaderFor(context, builder.program, wish.loadWith);
    const images = await this.#build(builder);
    await this.#bring(builder, loader, images);
    await this.#makeSecrets();
    await mkdir(join(this.#overlay, 'images'), { recursive: true });
    // Of the services, whose jobs are named by it; the first that is built.
    const release = releaseOf(images[0]?.tag ?? '', cells);
    const component = imagesComponent(images, release, cells);
    await writeFile(join(this.#overlay, 'images/kustomization.yaml'), component);
    await this.#cluster.apply(this.#overlay);
    say('Applied k8s/overlays/local; waiting until everything is ready.');
    await this.#rollOut(release);
    await this.#renewKept(release);
    await this.#greet();
    await this.#forwarding?.ended();
  }

  #rollOut(release: string): Promise<void> {
    const { wish, say, signal } = this.parts;
    return waitForRollout({
      ...{ cluster: this.#cluster, tag: release, say, signal },
      withinMs: wish.timeoutMs,
      pollIntervalMs: POLL_INTERVAL_MS,
    });
  }

  /** An upgrade leaves the simulated acquirer alone; here its own changes are wanted as well. */
  async #renewKept(release: string): Promise<void> {
    const old = (await this.#cluster.workloads()).filter(keepsOldPods);
    if (old.length === 0) return;
    for (const { metadata } of old) {
      this.parts.say(`${metadata.name}: stopped, to come back new.`);
      await this.#cluster.deletePodsOf(metadata.name);
    }
    await this.#rollOut(release);
  }

  /** Ends what would keep the process alive. */
  close(): void {
    this.#forwarding?.close();
  }

  /** The service would refuse it as well, minutes later and in a log. */
  async #checkSeed(): Promise<void> {
    const { seed } = this.parts.wish;
    if (seed === undefined) return;
    const result = parseSeed(await readSeedFile(seed));
    if (result.kind === 'seed') return;
    const { line, reason } = result;
    throw new DeployRefused(`The seed file ${seed} is refused, line ${line}: ${reason}.`);
  }

  async #build(builder: ImageBuilder): Promise<readonly BuiltImage[]> {
    const images: BuiltImage[] = [];
    for (const plan of this.#plans()) {
      const startMs = performance.now();
      this.parts.say(`Building ${plan.name} with ${builder.program} …`);
      const image = await builder.build(plan);
      const seconds = ((performance.now() - startMs) / 1_000).toFixed(0);
      this.parts.say(`Built ${image.repository}:${image.tag} in ${seconds} s.`);
      images.push(image);
    }
    return images;
  }

  #plans(): readonly ImagePlan[] {
    const { nodeImage, debianImage } = this.parts.wish;
    return [
      { name: 'sluice', file: 'docker/Dockerfile', baseImage: nodeImage },
      { name: 'sluice-postgres', file: 'docker/postgres.Dockerfile', baseImage: debianImage },
      { name: 'sluice-kafka', file: 'docker/kafka.Dockerfile', baseImage: debianImage },
    ];
  }

  async #bring(
    builder: ImageBuilder,
    loader: Loader,
    images: readonly BuiltImage[],
  ): Promise<void> {
    if (loader.kind === 'none') return;
    const folder = await mkdtemp(join(tmpdir(), 'sluice-images-'));
    try {
      for (const image of images) {
        const name = `${image.repository}:${image.tag}`;
        if (await this.#cluster.hasImage(name)) {
          this.parts.say(`The nodes have ${name} already.`);
          continue;
        }
        const archive = join(folder, `${image.name}.tar`);
        await builder.save(image, archive);
        await load(loader, archive, this.parts.programs);
        await rm(archive);
        this.parts.say(`Brought ${name} to the nodes.`);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** A program of its own, which people run by hand as well; it keeps what is there. */
  async #makeSecrets(): Promise<void> {
    const { wish, programs, folder, say } = this.parts;
    const seed = wish.seed === undefined ? [] : ['--seed', resolve(wish.seed)];
    const summary = await programs.run(process.execPath, [...MAKE_SECRETS, ...seed], {
      folder,
    });
    say(summary.trimEnd());
  }

  async #greet(): Promise<void> {
    const url = await this.#reach();
    const year = new Date().getUTCFullYear();
    this.parts.say(`A payment was made through the Service edge: ${await payOnce(url, year)}.`);
    this.parts.say(
      `A card was stored, paid with and deleted: ${await payByRegistration(url, year)}.`,
    );
    const demo = { entityId: DEMO_ENTITY_ID, accessToken: DEMO_ACCESS_TOKEN };
    this.parts.say(greeting(url, demo, year, { referenceUrl: REFERENCE_URL }).trimEnd());
    this.parts.say(`after: kubectl -n ${NAMESPACE} port-forward service/reference-page 8081:80`);
    this.parts.say(
      `Shoppers (paymentBrand=PAYPAL) after: kubectl -n ${NAMESPACE} port-forward service/simulator 8082:8081`,
    );
    if (this.#forwarding !== undefined) this.parts.say('Ctrl-C ends the forwarding; Sluice stays.');
  }

  /** By a node's port; where nodes are in a machine of their own, by a port of this one. */
  async #reach(): Promise<string> {
    const addresses = await this.#cluster.edgeAddresses();
    for (let attempt = 0; attempt < REACH_ATTEMPTS; attempt += 1) {
      for (const address of addresses) if (await isReached(address)) return address;
      if (addresses.length === 0) break;
      await pause(POLL_INTERVAL_MS, undefined, { signal: this.parts.signal });
    }
    const edge = { target: 'service/edge', targetPort: 'http', port: this.parts.wish.port };
    this.#forwarding = await Forwarding.open(edge);
    return `http://127.0.0.1:${this.#forwarding.port}`;
  }
}
