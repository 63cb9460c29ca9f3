import { describe, expect, it } from '@jest/globals';
import { commitScopes, subjectProblem } from '../../check-commits.mjs';

describe('the first line of a commit', () => {
  const scopes = commitScopes();

  it.each([
    'feat(event-store): coalesced appends',
    'fix(domain-payments)!: refuse a capture above the authorized amount',
    'docs(docs): how to read an event',
    'build(repository): pin the compiler',
  ])('may be "%s"', (subject) => {
    expect(subjectProblem(subject, scopes)).toBeUndefined();
  });

  it.each([
    ['coalesced appends', 'it is not "type(scope): what"'],
    ['feat: coalesced appends', 'it is not "type(scope): what"'],
    ['feat(event-store):coalesced appends', 'it is not "type(scope): what"'],
    ['feature(event-store): coalesced appends', 'the type is none of'],
    ['feat(utils): coalesced appends', 'the scope is none of'],
    ['feat(event-store): coalesced appends.', 'full stop'],
    [`feat(event-store): ${'a'.repeat(100)}`, 'more than 100 characters'],
  ])('may not be "%s"', (subject, problem) => {
    expect(subjectProblem(subject, scopes)).toContain(problem);
  });

  it('has the projects as scopes', () => {
    expect(scopes).toEqual(expect.arrayContaining(['money', 'edge', 'domain-payments', 'docs']));
  });
});
