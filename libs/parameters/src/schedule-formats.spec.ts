import { describe, expect, it } from '@jest/globals';
import * as formats from './schedule-formats.js';

const { scheduleDayOfMonth, scheduleExpression, scheduleMonth } = formats;

describe('what a schedule is told by', () => {
  it.each(Object.entries(formats))(
    '%s says in words what it takes, not by a pattern',
    (_, format) => {
      expect(format.message).toMatch(/^must be /);
      expect(format.message).not.toMatch(/[\^$\\]/);
    },
  );

  it.each(['L', 'L-3', 'L-30', 'LW', '15W', '1,L-1'])('%s is a day of the month', (day) => {
    expect(scheduleDayOfMonth.accepts(day)).toBe(true);
    expect(scheduleExpression.accepts(`0 0 8 ${day} * ?`)).toBe(true);
  });

  it.each(['L-31', 'L-', 'L-3W', '3-L'])('%s is none', (day) => {
    expect(scheduleDayOfMonth.accepts(day)).toBe(false);
  });

  it('may have months by name in an expression, and by number alone in a field (Interface 2.18)', () => {
    expect(scheduleExpression.accepts('0 0 8 1 JAN-MAR,12 ?')).toBe(true);
    expect(scheduleExpression.accepts('0 0 8 1 MAI ?')).toBe(false);
    expect(scheduleMonth.accepts('JAN')).toBe(false);
  });
});
