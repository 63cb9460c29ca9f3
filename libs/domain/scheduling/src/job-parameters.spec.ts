import { describe, expect, it } from '@jest/globals';
import { readJob } from './job-parameters.js';

const expressionOf = (parameters: Readonly<Record<string, string>>) => {
  const read = readJob(parameters, 'Europe/Berlin');
  return read.kind === 'job' ? read.job.expression : read.resultCode;
};

describe('the parameters of a job', () => {
  it.each([
    [{}, '0 0 0 1 1 ? *'],
    [{ 'job.dayOfWeek': 'MON', 'job.month': '*' }, '0 0 0 ? * MON *'],
    [{ 'job.dayOfMonth': '15', 'job.year': '' }, '0 0 0 15 1 ? *'],
    [{ 'job.expression': '0 0 9 L * ?', 'job.hour': '5' }, '0 0 9 L * ? *'],
    [{ 'job.expression': '0 0 9 L * ?', 'job.year': '2030' }, '0 0 9 L * ? 2030'],
    [{ 'job.expression': '0 0 9 L * ? 2031', 'job.year': '2030' }, '0 0 9 L * ? 2031'],
    [{ 'job.dayOfMonth': '15', 'job.dayOfWeek': 'MON' }, '100.250.120'],
    [{ 'job.dayOfMonth': '?' }, '100.250.120'],
    [{ 'job.hour': '24' }, '100.250.121'],
    [{ 'job.second': '60' }, '100.250.122'],
    [{ 'job.dayOfMonth': '32' }, '100.250.123'],
    [{ 'job.month': '13' }, '100.250.124'],
    [{ 'job.dayOfWeek': '8' }, '100.250.125'],
    [{ 'job.durationNumber': '1' }, '100.250.106'],
    [{ 'job.noticeUnit': 'DAY' }, '100.250.107'],
    [{ 'job.noticeCallable': 'DURATION_END' }, '100.250.106'],
  ])('%j are %s', (parameters, expected) => {
    expect(expressionOf(parameters as Record<string, string>)).toBe(expected);
  });

  it('have dates in the zone of the channel', () => {
    expect(readJob({ 'job.startDate': '2026-01-31 00:00:00' }, 'Europe/Berlin')).toMatchObject({
      job: { startMs: Date.UTC(2026, 0, 30, 23) },
    });
  });
});
