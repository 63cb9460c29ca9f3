import { describe, expect, it } from '@jest/globals';
import { readProjects, workspaceRoot } from '../../projects.mjs';
import { sourceFilesBelow } from '../../source-files.mjs';

describe('every project with sources', () => {
  const projects = readProjects().map(({ shortName, folder, manifest }) => ({
    shortName,
    manifest,
    files: sourceFilesBelow(workspaceRoot, folder),
  }));

  it('has a spec', () => {
    const without = projects
      .filter(({ files }) => files.length > 0 && !files.some((file) => file.endsWith('.spec.ts')))
      .map(({ shortName }) => shortName);
    expect(without).toEqual([]);
  });

  it('has its specs where jest looks for them', () => {
    const elsewhere = projects
      .flatMap(({ files }) => files)
      .filter((file) => file.endsWith('.spec.ts') && !/\/(?:src|test)\//u.test(file));
    expect(elsewhere).toEqual([]);
  });

  it('has the test script that the summary counts', () => {
    const without = projects.filter(({ manifest }) => manifest.scripts?.['test'] === undefined);
    expect(without.map(({ shortName }) => shortName)).toEqual([]);
  });
});
