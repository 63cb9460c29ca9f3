import { createHash } from 'node:crypto';
import { access, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KAFKA_VERSION, kafkaFolder, look, sentenceOf } from '@sluice/prerequisites';
import { run } from '@sluice/prerequisites/run';

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
  /** All that the Java machine says of its version and build, by which class archives are told apart. */
  readonly javaVersion: string;
}

/** Says what is missing and how to get it. */
export class KafkaMissing extends Error {
  override readonly name = 'KafkaMissing';
}

const INSTEAD = 'set KAFKA_BROKERS to the address of a running Kafka';

/**
 * Apache Kafka in the user's cache folder; assembled by Maven at the first call. Two processes that
 * do so at once each work in a folder of their own, and the first to finish keeps its result.
 */
export async function kafkaDistribution(): Promise<Distribution> {
  const { command: java, printed: javaVersion } = await prerequisite('java');
  const folder = kafkaFolder();
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

/** The program's full path, and its version. Throws KafkaMissing where there is none that will do. */
async function prerequisite(
  name: 'java' | 'mvn',
): Promise<{ readonly command: string; readonly printed: string }> {
  const found = await look(name);
  const { command, printed, problem } = found;
  if (problem === undefined && command !== undefined && printed !== undefined) {
    return { command, printed };
  }
  throw new KafkaMissing(`${sentenceOf(found)} Otherwise ${INSTEAD}.`);
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
  const { command: maven } = await prerequisite('mvn');
  await run(maven, [...goal, ...options], folder).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new KafkaMissing(
      `Maven could not get Apache Kafka ${KAFKA_VERSION}: it needs Maven Central or a mirror of it ` +
        `in ~/.m2/settings.xml (${reason}). Repeat it with a connection, or ${INSTEAD}.`,
    );
  });
}
