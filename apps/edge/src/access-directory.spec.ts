import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { DirectoryAnswer, DirectoryQuery } from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import { DIRECTORY_REFRESH_MS, LiveDirectory } from './access-directory.js';

const directory = (version: string) => ({ directory: { version, nodes: [], credentials: [] } });

function live(...answers: (DirectoryAnswer | Error)[]) {
  const asked: object[] = [];
  const told: string[] = [];
  const outage = { failed: () => told.push('failed'), over: () => told.push('over') };
  const queries: Queries = {
    ask: <Answer>(_service: string, _query: string, parameters: object): Promise<Answer> => {
      asked.push(parameters);
      const answer = answers.shift() ?? {};
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as Answer);
    },
  };
  return { made: new LiveDirectory(queries, outage), asked, told };
}

describe('LiveDirectory', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('asks without a version first, then with the one it has', async () => {
    const { made, asked } = live(directory('7'), {}, directory('8'));
    await made.refresh();
    await made.refresh();
    expect(made.index?.version).toBe('7');
    await made.refresh();
    expect(made.index?.version).toBe('8');
    const asker = expect.any(String);
    expect(asked).toEqual([{ asker }, { knownVersion: '7', asker }, { knownVersion: '7', asker }]);
    expect(new Set(asked.map((query) => (query as DirectoryQuery).asker)).size).toBe(1);
  });

  it('keeps what it has when accounts is away, and tells begin and end', async () => {
    const { made, told } = live(directory('7'), new Error('away'), {});
    await made.refresh();
    await made.refresh();
    expect(made.index?.version).toBe('7');
    await made.refresh();
    expect(told).toEqual(['over', 'failed', 'over']);
  });

  it('knows how many share the limits, and keeps it when accounts is away', async () => {
    const { made } = live({ ...directory('7'), askers: 3 }, new Error('away'), { askers: 0 });
    expect(made.instances).toBe(1);
    await made.refresh();
    await made.refresh();
    expect(made.instances).toBe(3);
    await made.refresh();
    expect(made.instances).toBe(1);
  });

  it('has none before the first answer', async () => {
    const { made } = live(new Error('away'));
    await made.refresh();
    expect(made.index).toBeUndefined();
  });

  it('keeps asking every two seconds until it is closed', async () => {
    jest.useFakeTimers();
    const { made, asked } = live();
    await made.start();
    await jest.advanceTimersByTimeAsync(DIRECTORY_REFRESH_MS * 3);
    expect(asked).toHaveLength(4);
    made.close();
    await jest.advanceTimersByTimeAsync(DIRECTORY_REFRESH_MS * 3);
    expect(asked).toHaveLength(4);
  });
});
