import { describe, expect, it } from '@jest/globals';
import { Form } from './form.js';
import { testDirectivesIn } from './test-directives.js';

function formOf(parameters: Readonly<Record<string, string>>): Form {
  return new Form(new Map(Object.entries(parameters)));
}

describe('test directives', () => {
  it('are the custom parameters that the catalogue marks, by the name in brackets', () => {
    const form = formOf({
      amount: '92.00',
      'customParameters[forceResultCode]': '800.100.151',
      'customParameters[simulator.fault]': 'delay:20',
      'customParameters[simulator.avs]': 'Z',
      'customParameters[simulator.cvv]': 'P',
      'customParameters[simulator.precondition]': 'hidden-frame',
      'customParameters[simulator.advice]': '21',
      'customParameters[branch]': 'Nord 1',
    });
    expect(testDirectivesIn(form)).toEqual({
      forceResultCode: '800.100.151',
      'simulator.fault': 'delay:20',
      'simulator.avs': 'Z',
      'simulator.cvv': 'P',
      'simulator.precondition': 'hidden-frame',
      'simulator.advice': '21',
    });
  });

  it('may have an empty value', () => {
    const form = formOf({ 'customParameters[forceResultCode]': '' });
    expect(testDirectivesIn(form)).toEqual({ forceResultCode: '' });
  });

  it('are undefined where none was sent', () => {
    expect(testDirectivesIn(formOf({ 'customParameters[branch]': 'Nord 1' }))).toBeUndefined();
  });
});
