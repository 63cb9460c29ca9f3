import { describe, expect, it } from '@jest/globals';
import { channelId, often, ranges, RulesFixture } from './rules-fixture.js';

const { run, file, set, versions } = new RulesFixture();

describe('rules that somebody sets', () => {
  it('are refused where somebody has set others since they were saved', async () => {
    await set({ rules: [often] }, '--execute');
    await set({ rules: [often, ranges], version: 1 }, '--execute');
    for (const words of [[], ['--execute']]) {
      const late = await set({ rules: [{ ...often, then: 'review' }], version: 1 }, ...words);
      expect([late.exitCode, late.errors]).toEqual([
        4,
        expect.stringMatching(
          /are version 2, and these are made from version 1.*save the rules anew/,
        ),
      ]);
    }
    expect((await versions()).at(-1)).toMatchObject({
      version: 2,
      file: { rules: [often, ranges] },
    });
  });

  it('take the place of others unseen only where that is said', async () => {
    await set({ rules: [often] }, '--execute');
    const planned = await set({ rules: [ranges] });
    expect(planned.output).toContain('- often: Three an hour');
    expect(planned.output).toContain('Nothing was done. Add --replace 1 --execute to do it.');
    const blind = await set({ rules: [ranges] }, '--execute');
    expect([blind.exitCode, blind.errors]).toEqual([
      4,
      expect.stringMatching(/are version 1, and the file does not say.*add --replace 1;/),
    ]);
    expect((await set({ rules: [ranges] }, '--replace', '2', '--execute')).exitCode).toBe(4);
    expect(await versions()).toHaveLength(1);
    await set({ rules: [ranges] }, '--replace', '1', '--execute');
    expect(await versions()).toHaveLength(2);
  });

  it('are those of one of several who set them at once; the others are told', async () => {
    await set({ rules: [often] }, '--execute');
    const files = [1, 2, 3, 4].map((atMost) => {
      const when = { velocity: { ...often.when.velocity, atMost: atMost + 10 } };
      const rules = [{ ...often, when }];
      return file({ version: 1, rules }, `at-once-${atMost}.json`);
    });
    const ran = await Promise.all(
      files.map((path) =>
        run('risk', 'rules', 'set', '--node', channelId, '--file', path, '--execute'),
      ),
    );
    expect(ran.map(({ exitCode }) => exitCode).sort()).toEqual([0, 4, 4, 4]);
    expect(await versions()).toHaveLength(2);
  });

  it.each<[object, readonly string[], string]>([
    [{ rules: [often], version: 'x' }, [], 'version must be the whole number that'],
    [{ rules: [often], version: 1 }, ['--replace', '2'], 'is of version 1, and --replace says 2'],
    [{ rules: [often] }, ['--replace', 'x'], '--replace x: it is the version that'],
    [{ rules: [{ ...often, name: 'Of 4111111111111111' }] }, [], 'has the number of a card'],
  ])('are refused with a sentence: %j %j', async (content, words, sentence) => {
    const ran = await set(content, ...words);
    expect([ran.exitCode, ran.errors]).toEqual([2, expect.stringContaining(sentence)]);
    expect(ran.errors).not.toContain('4111111111111111');
  });
});
