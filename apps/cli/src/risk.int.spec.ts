import { beforeEach, describe, expect, it } from '@jest/globals';
import { newTransactionId } from '@sluice/identifiers';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ran } from './command-line-fixture.js';
import {
  channelId,
  merchantId,
  NOW_MS,
  often,
  persons,
  ranges,
  RulesFixture,
} from './rules-fixture.js';

const fixture = new RulesFixture();
const { run, file, set, list, versions } = fixture;

describe('risk rules', () => {
  it('are only said without --execute', async () => {
    const { exitCode, output } = await set({ rules: [often], reviewFrom: 50 });
    expect([exitCode, output]).toEqual([
      0,
      `The rules of ${channelId} would be version 1:\n+ often: Three an hour\n` +
        '~ reviewFrom: nothing → 50\nNothing was done. Add --execute to do it.\n',
    ]);
    expect(await versions()).toEqual([]);
  });

  it('are set, and the same again changes nothing', async () => {
    const rules = { rules: [often] };
    expect((await set(rules, '--execute')).output).toContain('are version 1:');
    const again = await set(rules, '--execute');
    expect(again.output).toBe(`The rules of ${channelId} are so already; nothing was done.\n`);
    expect(await versions()).toEqual([
      { version: 1, actor: expect.stringMatching(/^operator /), file: rules },
    ]);
  });

  it('are shown with those of the nodes above, which are applied first', async () => {
    await set({ rules: [ranges, persons], releaseAfter: '24h' }, '--execute');
    const above = file({ rules: [often], rejectFrom: 80 });
    await run('risk', 'rules', 'set', '--node', merchantId, '--file', above, '--execute');
    const { output } = await run('risk', 'rules', 'show', '--node', channelId);
    const lines = output.split('\n');
    expect(lines[1]).toMatch(/ often +more than 3 payments by card within 1h +reject +Three an/);
    expect(lines[2]).toMatch(/ ranges +bin is one of 2 values +reject +Ranges that/);
    expect(lines[3]).toMatch(/ persons +email is one of 1 value +40 +Who never paid/);
    expect(output).toContain('Rejected from a score of 80.\nReviews end by themselves after 1d.\n');
    const all = (await run('risk', 'rules', 'show', '--json')).json() as { nodeId: string }[];
    expect(all.map(({ nodeId }) => nodeId).sort()).toEqual([channelId, merchantId].sort());
  });

  it('are saved to a file that sets the same', async () => {
    await set({ rules: [often, ranges], rejectFrom: 80 }, '--execute');
    const path = join(fixture.folder, 'saved.json');
    await run('risk', 'rules', 'show', '--node', channelId, '--save', path);
    expect(readFileSync(path, 'utf8')).toMatch(
      /^\{\n {2}"version": 1,\n {2}"rules": \[\n {4}\{\n {6}"id": "often"/,
    );
    const same = await run('risk', 'rules', 'set', '--node', channelId, '--file', path);
    expect(same.output).toContain('are so already');
    const again = await run('risk', 'rules', 'show', '--node', channelId, '--save', path);
    expect([again.exitCode, again.errors]).toEqual([
      1,
      `${path} cannot be written: it is there already; name another file.\n`,
    ]);
  });

  it('are refused, also without --execute, where risk has no file that says what they look at', async () => {
    const hidden = { id: 'hidden', name: 'Who hides', then: 'review', when: { proxy: true } };
    const ran = await set({ rules: [hidden] });
    expect([ran.exitCode, ran.errors]).toEqual([
      4,
      'rules[0].when needs the addresses of proxies: name a file with them in RISK_PROXY_FILE for ' +
        'every instance of risk, start it, and set the rules then. Nothing was done.\n',
    ]);
    const text = "INSERT INTO risk.address_data VALUES ('proxies', now())";
    await fixture.administrator.query(text);
    expect((await set({ rules: [hidden] }, '--execute')).output).toContain('are version 1:');
  });

  it('name the scorer that is asked, which risk has to know', async () => {
    const file = { scorer: { name: 'acme', whenAway: 'reject' } };
    const ran = await set(file, '--execute');
    expect([ran.exitCode, ran.errors]).toEqual([
      4,
      expect.stringContaining('scorer.name is no scorer of RISK_SCORERS_FILE (there is none)'),
    ]);
    await fixture.administrator.query("INSERT INTO risk.scorers VALUES ('acme')");
    expect((await set(file, '--execute')).output).toContain('~ scorer: nothing →');
    const { output } = await run('risk', 'rules', 'show', '--node', channelId);
    expect(output).toContain('The scorer acme is asked; while it is away: reject.');
  });

  it('say which cannot be read, as those of another release, and which hold then', async () => {
    await set({ rules: [often] }, '--execute');
    const another = { rules: [{ ...often, phase: 'moon' }] };
    await fixture.administrator.query(
      `INSERT INTO risk.rule_sets (node_id, version, actor, file)
       VALUES ($1, 2, 'another release', $3), ($2, 1, 'another release', $3)`,
      [channelId, merchantId, JSON.stringify(another)],
    );
    const { output } = await run('risk', 'rules', 'show');
    expect(output).toMatch(new RegExp(`${channelId} +1 +2 .*another release\n`));
    expect(output).toMatch(new RegExp(`${merchantId} +\\? +1 .*another release\n`));
    const own = await run('risk', 'rules', 'show', '--node', channelId);
    expect(own.output).toMatch(/ often +more than 3 payments/);
    expect(own.output).toContain(
      `Version 2 of ${channelId} cannot be read by this release, so version 1 holds: ` +
        'rules[0] has no member "phase"',
    );
    expect(own.output).toContain(
      `Version 1 of ${merchantId} cannot be read by this release, nor any before it, ` +
        'so its payments are not taken: ',
    );
  });

  it('have a history of who changed what, without the persons on lists', async () => {
    await set({ rules: [often, persons] }, '--execute');
    const when = { velocity: { ...often.when.velocity, atMost: 5 } };
    await set({ rules: [persons, { ...often, when, then: 'review' }], version: 1 }, '--execute');
    await list('add', '--rule', 'persons', '--value', 'joe@shop.example', '--execute');
    await set({}, '--replace', '3', '--execute');
    const { output } = await run('risk', 'rules', 'history', '--node', channelId);
    const changes = output.replaceAll(/, [0-9]{4}-.*, operator .*/g, '');
    expect(changes).toBe(
      [
        'Version 4',
        '  - persons: Who never paid',
        '  - often: Three an hour',
        'Version 3',
        '  ~ persons: 1 value added',
        'Version 2',
        '  ~ often: then: reject → review',
        '  ~ often: when: {"velocity":{"by":"card","within":"1h","atMost":3}} → ' +
          '{"velocity":{"by":"card","within":"1h","atMost":5}}',
        '  ~ the order of the rules',
        'Version 1',
        '  + often: Three an hour',
        '  + persons: Who never paid',
        '',
      ].join('\n'),
    );
  });
});

describe('risk lists', () => {
  beforeEach(async () => {
    await set({ rules: [often, ranges] }, '--execute');
  });

  it('are shown, get a value for a while, and lose it', async () => {
    const value = ['--rule', 'ranges', '--value', '455555'];
    const added = await list('add', ...value, '--until', '2031-06-01 12:00', '--execute');
    expect(added.output).toContain('are version 2:\n~ ranges: 1 value added: 455555\n');
    expect((await list('show', '--rule', 'ranges')).output).toBe(
      'BIN     UNTIL\n411111\n420000  2032-01-01\n455555  2031-06-01T12:00:00Z\n',
    );
    const longer = await list('add', ...value, '--execute');
    expect(longer.output).toContain('~ ranges: 1 value with another end: 455555\n');
    expect((await list('add', ...value, '--execute')).output).toContain('are so already');
    await list('remove', ...value, '--execute');
    const all = await versions();
    expect(all.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    expect(all[3]?.file).toEqual(all[0]?.file);
  });

  it('have a value once, however it is spelt', async () => {
    await set({ rules: [persons] }, '--replace', '1', '--execute');
    const value = ['--rule', 'persons', '--value'];
    await list('add', ...value, ' Jane@Shop.example.', '--execute');
    expect((await list('show', '--rule', 'persons')).output).toMatch(/^EMAIL +UNTIL\n.*Jane.*\n$/);
    await list('add', ...value, 'joe@shop.example', '--execute');
    expect((await list('remove', ...value, 'JANE@shop.example', '--execute')).exitCode).toBe(0);
    expect((await list('show', '--rule', 'persons')).output).not.toMatch(/jane/i);
  });

  it('are not changed without --execute', async () => {
    const said = await list('remove', '--rule', 'ranges', '--value', '411111');
    expect(said.output).toContain('~ ranges: 1 value removed: 411111\nNothing was done.');
    expect(await versions()).toHaveLength(1);
  });

  it('lose no value when two operators add one at the same moment: the second is told', async () => {
    const add = (value: string) => list('add', '--rule', 'ranges', '--value', value, '--execute');
    const values = ['400001', '400002', '400003', '400004'];
    const ran = await Promise.all(values.map(add));
    const told = ran.filter(({ exitCode }) => exitCode === 4);
    for (const { errors } of told) expect(errors).toContain('were changed by somebody else');
    const shown = (await list('show', '--rule', 'ranges')).output;
    expect(values.filter((value) => shown.includes(value))).toHaveLength(4 - told.length);
  });

  it.each<[string, readonly string[], number, string]>([
    ['a rule that is not there', ['add', '--rule', 'x', '--value', '1'], 1, 'There are: ranges.'],
    ['one without list', ['add', '--rule', 'often', '--value', '1'], 1, 'has no list in the rule'],
    [
      'a value of another form',
      ['add', '--rule', 'ranges', '--value', '42'],
      ...([2, 'That cannot be: rules[1].when.list.values[2] must be the first six'] as const),
    ],
    [
      'an end that is over',
      ['add', '--rule', 'ranges', '--value', '455555', '--until', '2031-05-03'],
      ...([2, '2031-05-03 is over'] as const),
    ],
    [
      'a value that is not there',
      ['remove', '--rule', 'ranges', '--value', '499999'],
      ...([1, '499999 is not on the list of ranges'] as const),
    ],
  ])('refuse with a sentence: %s', async (_, words, exitCode, sentence) => {
    const ran = await list(words[0] ?? '', ...words.slice(1), '--execute');
    expect([ran.exitCode, ran.errors]).toEqual([exitCode, expect.stringContaining(sentence)]);
    expect(await versions()).toHaveLength(1);
  });

  it('refuse to lose the last value, because a list has one at least', async () => {
    await set({ rules: [persons] }, '--replace', '1', '--execute');
    const ran = await list('remove', '--rule', 'persons', '--value', 'jane@shop.example');
    expect([ran.exitCode, ran.errors]).toEqual([2, expect.stringContaining('the only value')]);
  });
});

describe('risk review', () => {
  async function reviewed(): Promise<string> {
    const id = newTransactionId(Date.now());
    await fixture.administrator.query(
      `INSERT INTO risk.assessments (assessment_id, entity_id, amount_minor, currency, decision,
         result_code, score, fired, review, received_at, facts)
       VALUES ($1, $2, 9200, 'EUR', 'review', '000.400.000', 60, $3, 'open', now(), '{}')`,
      [id, channelId, JSON.stringify([{ id: 'look', name: 'Somebody has a look' }])],
    );
    return id;
  }

  const stateOf = async (id: string) => {
    const text = `SELECT review, decided_by, reversal_id FROM risk.assessments
      WHERE assessment_id = $1`;
    return (await fixture.administrator.query<Record<string, string | null>>(text, [id])).rows[0];
  };

  it('lists what waits, and decides once', async () => {
    const [one, other] = [await reviewed(), await reviewed()];
    const listed = (await run('risk', 'review', 'list')).output;
    expect(listed).toMatch(new RegExp(`${one} +${channelId} .* 92.00 EUR +60 +look +never\n`));
    const releases = async (outcome: string | null) => {
      const text = `UPDATE risk.assessments SET release_at = '2031-05-04T12:30:00Z', outcome = $2
        WHERE assessment_id = $1`;
      await fixture.administrator.query(text, [one, outcome]);
      return (await run('risk', 'review', 'list')).output;
    };
    expect(await releases(null)).toMatch(new RegExp(`${one} .* look +not approved yet\n`));
    expect(await releases('approved')).toMatch(new RegExp(`${one} .* look +2031-05-04 12:30`));
    const planned = await run('risk', 'review', 'reject', one);
    expect(planned.output).toBe(
      `${one} (92.00 EUR) would be rejected.\nNothing was done. Add --execute to do it.\n`,
    );
    expect(await stateOf(one)).toMatchObject({ review: 'open' });
    const done = await run('risk', 'review', 'reject', one, '--execute');
    expect([done.exitCode, done.output]).toEqual([0, expect.stringContaining('is rejected.')]);
    expect(await stateOf(one)).toEqual({
      review: 'rejected',
      decided_by: expect.stringMatching(/^operator /),
      reversal_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const late = await run('risk', 'review', 'approve', other, one, '--execute');
    expect([late.exitCode, late.errors]).toEqual([
      4,
      expect.stringMatching(new RegExp(`^${one} was rejected by operator .* already\\. Nothing`)),
    ]);
    expect(await stateOf(other)).toMatchObject({ review: 'open' });
    await run('risk', 'review', 'approve', other, '--execute');
    expect(await stateOf(other)).toMatchObject({ review: 'released', reversal_id: null });
    expect((await run('risk', 'review', 'list')).output).toBe('No payment is under review.\n');
  });

  it.each<[readonly string[], number, string]>([
    [['approve', 'x'], 2, '"x" is no id'],
    [['reject', newTransactionId(NOW_MS)], 1, 'is no payment under review'],
  ])('refuses with a sentence: %j', async (words, exitCode, sentence) => {
    const ran = await run('risk', 'review', ...words, '--execute');
    expect([ran.exitCode, ran.errors]).toEqual([exitCode, expect.stringContaining(sentence)]);
  });
});

const ENDED = { value: '420000', until: '2031-05-03' };

describe('what cannot be', () => {
  it.each<[string, () => Promise<Ran>, number, string]>([
    [
      'a node that is none',
      () => run('risk', 'rules', 'history', '--node', '9'.repeat(32)),
      ...([1, 'There is no node 999'] as const),
    ],
    [
      'a word that is no node',
      () => run('risk', 'rules', 'show', '--node', 'shop'),
      ...([2, '"shop" is no entity id'] as const),
    ],
    [
      'a rule that does nothing',
      () => set({ rules: [{ ...often, then: undefined }] }),
      2,
      '"then"',
    ],
    [
      'a value on a list that has ended',
      () => set({ rules: [{ ...ranges, when: { list: { by: 'bin', values: [ENDED] } } }] }),
      ...([2, 'rules[0].when.list.values[0].until is over'] as const),
    ],
    ['a file with a member twice', () => set('{"rules": [],\n"rules": []}' as never), 2, 'line 2'],
    ['a file that is not JSON', () => set('{' as never), 2, 'is refused, line 1'],
    [
      'a file that is not there',
      () => run('risk', 'rules', 'set', '--node', channelId, '--file', '/nowhere/rules.json'),
      ...([1, 'cannot be read (ENOENT)'] as const),
    ],
    ['no node', () => run('risk', 'rules', 'set', '--file', 'x'), 2, '--node'],
    ['whose to save', () => run('risk', 'rules', 'show', '--save', 'x'), 2, 'Add --node.'],
    [
      'rules that are not there',
      () => run('risk', 'rules', 'show', '--node', channelId, '--save', 'x'),
      ...([1, 'has no rules of its own to save'] as const),
    ],
  ])('is refused with a sentence: %s', async (_, command, exitCode, sentence) => {
    const ran = await command();
    expect([ran.exitCode, ran.errors]).toEqual([exitCode, expect.stringContaining(sentence)]);
  });
});

describe('risk rebuild-counts', () => {
  it('counts again what was judged, and nothing before it is told to', async () => {
    await fixture.administrator.query(
      `INSERT INTO risk.assessments (assessment_id, entity_id, amount_minor, currency, decision,
         score, fired, received_at, facts, counted_keys, history_keys, outcome)
       VALUES ($1, $2, 100, 'EUR', 'accept', 0, '[]', now(), '{}', '{7}', '{8}', 'approved')`,
      [newTransactionId(NOW_MS), channelId],
    );
    const rows = 'SELECT (SELECT count(*) FROM risk.payer_counts)::int AS counts, approved';
    const found = () =>
      fixture.administrator.query(`${rows} FROM risk.payer_histories WHERE key = 8`);
    const dry = await run('risk', 'rebuild-counts');
    expect(dry.output).toContain('1 assessment would be counted again.');
    expect((await found()).rows).toEqual([]);
    const ran = await run('risk', 'rebuild-counts', '--execute');
    expect([ran.exitCode, ran.output]).toEqual([0, expect.stringContaining('1 assessment again')]);
    expect((await found()).rows).toEqual([{ counts: 1, approved: 1 }]);
  });
});
