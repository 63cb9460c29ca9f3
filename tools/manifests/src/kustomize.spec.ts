import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { isNewEnough, kustomizeFolder } from './kustomize.js';

describe('a program that renders', () => {
  it.each([
    ['kubectl', 'Client Version: v1.32.4\nKustomize Version: v5.5.0\n', true],
    ['kubectl', 'Client Version: v1.26.0\nKustomize Version: v4.5.7\n', false],
    ['kubectl', 'Client Version: version.Info{Major:"1", Minor:"20"}\n', false],
    ['kustomize', 'v5.8.1\n', true],
    ['kustomize', '{kustomize/v5.0.1  2023-03-14T01:32:48Z  }\n', true],
    ['kustomize', '{Version:kustomize/v4.5.4 GitCommit:cf3 BuildDate:2022}\n', false],
    ['kustomize', '', false],
  ])('%s that says %j: %s', (command, text, isEnough) => {
    expect(isNewEnough(text, command)).toBe(isEnough);
  });

  it('is new enough when it was built here', () => {
    expect(isNewEnough('(devel)\n', join(kustomizeFolder, 'kustomize'))).toBe(true);
  });
});
