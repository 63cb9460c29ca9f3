import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { access, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The line that the cluster runs too; clients were measured against it. */
export const KAFKA_VERSION = '4.1.1';
/** What Maven gets: the image of Kafka is made from it too. */
const PROJECT_FILE = fileURLToPath(new URL('../pom.xml', import.meta.url));

/** What a broker is started from. */
export interface Distribution {
  /** The `java` command. */
  readonly java: string;
  /** All jars, in a fixed order: the class archive is only good for this one. */
  readonly classPath: string;
  /** The folder of the cache; class archives lie here too. */
  readonly folder: string;
  /** First line and build of the Java machine, by which class archives are told apart. */
  readonly javaVersion: string;
}

/** Says what is missing and how to get it. */
export class KafkaMissing extends Error {
  override readonly name = 'KafkaMissing';
}

const INSTEAD = 'or set KAFKA_BROKERS to the address of a running Kafka';

/**
 * Apache Kafka in the user's cache folder; assembled by Maven at the first call. Two processes that
 * do so at once each work in a folder of their own, and the first to finish keeps its result.
 */
export async function kafkaDistribution(): Promise<Distribution> {
  const java = commandOfJava();
  const javaVersion = await versionOfJava(java);
  const folder = join(cacheFolder(), `kafka-${KAFKA_VERSION}`);
  const libraries = join(folder, 'libs');
  if (!(await exists(libraries))) await assemble(folder);
  const jars = (await readdir(libraries)).filter((name) => name.endsWith('.jar')).sort();
  const classPath = jars.map((jar) => join(libraries, jar)).join(':');
  return { java, classPath, folder, javaVersion };
}

/** A name in the cache for what only this Java machine can use. */
export function archiveFile({ folder, javaVersion, classPath }: Distribution): string {
  const print = createHash('sha256').update(`${javaVersion}\n${classPath}`).digest('hex');
  return join(folder, `classes-${print.slice(0, 16)}.jsa`);
}

/** Whether there is anything at the path. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Runs a program to its end; rejects with the end of what it printed when it fails. */
export function run(file: string, words: readonly string[], folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    const keep = (chunk: Buffer): void => {
      printed += chunk.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${file} ended with ${String(code)}: ${printed.trim().slice(-2_000)}`));
    });
  });
}

function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'] ?? '';
  return join(base === '' ? join(homedir(), '.cache') : base, 'sluice');
}

function commandOfJava(): string {
  const home = process.env['JAVA_HOME'] ?? '';
  return home === '' ? 'java' : join(home, 'bin', 'java');
}

async function versionOfJava(java: string): Promise<string> {
  const printed = await run(java, ['-version'], '/').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new KafkaMissing(
      'A local Kafka needs Java 17 or newer, and there is no "java". Install it ' +
        `(Debian: apt-get install openjdk-17-jre-headless), ${INSTEAD}.`,
    );
  });
  const major = /version "(\d+)/.exec(printed)?.[1];
  if (Number(major) < 17) {
    throw new KafkaMissing(
      `A local Kafka needs Java 17 or newer; "${java}" is Java ${String(major)}. Install a newer ` +
        `one and name it in JAVA_HOME, ${INSTEAD}.`,
    );
  }
  return printed;
}

async function assemble(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}-`);
  try {
    await copyFile(PROJECT_FILE, join(temporary, 'pom.xml'));
    await copyJars(temporary);
    await rename(temporary, folder).catch(async (error: unknown) => {
      // Somebody else has been quicker, which is as good.
      if (!(await exists(join(folder, 'libs')))) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function copyJars(folder: string): Promise<void> {
  const goal = ['-q', '-B', 'dependency:copy-dependencies'];
  const options = [`-DoutputDirectory=${join(folder, 'libs')}`, '-DincludeScope=runtime'];
  try {
    await run('mvn', [...goal, ...options], folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new KafkaMissing(
        'A local Kafka is assembled by Maven, and there is no "mvn". Install it (Debian: apt-get ' +
          `install maven), ${INSTEAD}.`,
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new KafkaMissing(
      `Maven could not get Apache Kafka ${KAFKA_VERSION}: it needs Maven Central or a mirror of it ` +
        `in ~/.m2/settings.xml (${reason}). Repeat it with a connection, ${INSTEAD}.`,
    );
  }
}
