import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { DirectoryAnswer, DirectoryQuery } from '@sluice/contracts';
import type { Queries } from '@sluice/messaging';
import { DIRECTORY_REFRESH_MS, LiveDirectory } from './access-directory.js';
import type { OtherInstances } from './throttle.js';

const directory = (version: string) => ({ directory: { version, nodes: [], credentials: [] } });

function live(...answers: (DirectoryAnswer | Error)[]) {
  const heard: OtherInstances[] = [];
  const demands = { a: 1 };
  const throttle = { demands: () => demands, hear: (others: OtherInstances) => heard.push(others) };
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
  return { made: new LiveDirectory(queries, outage, throttle), asked, told, heard };
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
    const demands = { a: 1 };
    expect(asked).toEqual([
      { asker, demands },
      { knownVersion: '7', asker, demands },
      { knownVersion: '7', asker, demands },
    ]);
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

  it('tells the throttle of the others, if it hears of them', async () => {
    const others = { a: [7] };
    const { made, heard } = live(
      { ...directory('7'), askers: 3, others },
      new Error('away'),
      directory('8'),
      { askers: 0, others: {} },
    );
    for (let time = 0; time < 4; time += 1) await made.refresh();
    expect(heard).toEqual([
      { instances: 3, demands: others },
      { instances: 1, demands: {} },
    ]);
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
