import { describe, expect, it } from '@jest/globals';
import { ClusterUnusable } from './cluster-unusable.js';
import { patiently, PatientPrograms } from './patient-programs.js';
import { ProgramFailed, ProgramMissing, type Programs } from './programs.js';

const REFUSED = 'The connection to the server 127.0.0.1:6443 was refused';

/** A kubectl that fails like this, one failure after the other, and then answers. */
class Failing implements Programs {
  calls = 0;

  constructor(private readonly failures: readonly string[]) {}

  run(file: string, words: readonly string[]): Promise<string> {
    const failure = this.failures[this.calls];
    this.calls += 1;
    return failure === undefined
      ? Promise.resolve('answer')
      : Promise.reject(new ProgramFailed(file, words, failure));
  }
}

interface Asked {
  readonly came: string;
  readonly calls: number;
  readonly said: readonly string[];
}

async function asked(
  failures: readonly string[],
  { changesNothing = true, signal = new AbortController().signal } = {},
): Promise<Asked> {
  const kubectl = new Failing(failures);
  const said: string[] = [];
  const patience = { say: (line: string) => void said.push(line), signal, pausesMs: [1, 2] };
  const programs = new PatientPrograms(kubectl, patience);
  const came = await programs
    .run('kubectl', ['get', 'pods'], { changesNothing })
    .catch((error: unknown) => (error as Error).name);
  return { came, calls: kubectl.calls, said };
}

describe('a program that changes nothing', () => {
  it('is run again when the cluster was away, and tells so', async () => {
    expect(await asked([REFUSED, 'Unable to connect to the server: EOF'])).toEqual({
      came: 'answer',
      calls: 3,
      said: [
        `This failed: kubectl get pods ${REFUSED}; again in 0.001 s.`,
        'This failed: kubectl get pods Unable to connect to the server: EOF; again in 0.002 s.',
      ],
    });
  });

  it('has failed when the cluster stays away', async () => {
    const { came, calls } = await asked([REFUSED, REFUSED, REFUSED, REFUSED]);
    expect({ came, calls }).toEqual({ came: 'ProgramFailed', calls: 3 });
  });

  it.each([
    'Error from server (NotFound): hpa "payments" not found',
    'Error from server (Forbidden): pods is forbidden',
    'error: timed out waiting for the condition',
  ])('is not run again after an answer: %s', async (failure) => {
    expect(await asked([failure])).toEqual({ came: 'ProgramFailed', calls: 1, said: [] });
  });

  it('is not run again for somebody who has lost patience', async () => {
    const { calls } = await asked([REFUSED], { signal: AbortSignal.abort() });
    expect(calls).toBe(1);
  });
});

describe('a program that changes something', () => {
  it('is run once: nobody knows what a lost call has done', async () => {
    const result = await asked([REFUSED], { changesNothing: false });
    expect(result).toEqual({ came: 'ProgramFailed', calls: 1, said: [] });
  });
});

describe('other work', () => {
  it('is done again when the cluster could not be used, and not after another error', async () => {
    const errors = [new ClusterUnusable('No port.'), new ProgramMissing('kubectl')];
    const said: string[] = [];
    const work = patiently({ say: (line) => said.push(line), pausesMs: [1, 1] }, () =>
      Promise.reject(errors.shift() ?? new Error('once too often')),
    );
    await expect(work).rejects.toThrow(ProgramMissing);
    expect(said).toEqual(['No port.; again in 0.001 s.']);
  });
});
