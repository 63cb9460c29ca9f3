// Defects in when schedules charge, and how often.

/** @type {readonly import('./sabotage-variants.mjs').Variant[]} */
export const schedulingVariants = [
  {
    name: 'S33',
    defect: 'the payment of a run is another one each time that its time is taken',
    file: 'libs/domain/scheduling/src/due-runs.ts',
    within: 'function planDue(',
    edits: [
      {
        from: 'transactionIdOfRun(id, dueMs)',
        to: 'transactionIdOfRun(id, metadata.recordedAtMs + 1)',
      },
    ],
    project: 'libs/domain/scheduling',
    tests: 'schedule.spec',
  },
  {
    name: 'S33b',
    defect: 'a run whose payment is undecided counts as declined',
    file: 'apps/scheduling/src/charges.ts',
    within: 'async charge(',
    edits: [
      {
        from: "answer.kind === 'again' ? undefined",
        to: "answer.kind === 'again' ? { kind: 'failed', resultCode: '900.100.310' }",
      },
    ],
    project: 'apps/scheduling',
    tests: 'scheduling.int',
  },
  {
    name: 'S34',
    defect: 'a declined run is tried again for as long as the issuer advises it',
    file: 'libs/domain/scheduling/src/recovery.ts',
    within: 'export function afterDecline(',
    edits: [{ from: "if (tries >= RECOVERY_TRIES_MAX) return ended('triesOver');", to: '' }],
    project: 'libs/domain/scheduling',
    tests: 'schedule.spec',
  },
  {
    name: 'S34b',
    defect: 'a declined run is tried again after the end date of its schedule',
    file: 'libs/domain/scheduling/src/recovery.ts',
    within: 'export function afterDecline(',
    edits: [
      {
        from: 'Math.min(schedule.endsAtMs, plan ? endOfJob(plan) : Infinity)',
        to: 'schedule.endsAtMs',
      },
    ],
    project: 'libs/domain/scheduling',
    tests: 'schedule.spec',
  },
  {
    name: 'S35',
    defect: 'a payment that an inquiry did not find, and that may still arrive, is made once more',
    file: 'libs/domain/payments/src/result.ts',
    within: 'function isNeverSent(',
    edits: [{ from: 'return false;', to: 'return true;' }],
    project: 'libs/domain/payments',
    tests: 'result',
  },
  {
    name: 'S36',
    defect: 'a time that comes twice where clocks are put back is charged twice',
    file: 'libs/domain/scheduling/src/next-run.ts',
    within: 'function firstWithin(',
    edits: [{ from: 'begin + Math.max(before, seconds)', to: 'begin + seconds' }],
    project: 'libs/domain/scheduling',
    tests: 'next-run.spec',
  },
  {
    name: 'S36b',
    defect: 'a time that clocks leave out is not charged',
    file: 'libs/domain/scheduling/src/next-run.ts',
    within: 'function firstWithin(',
    edits: [
      { from: 'shiftedRun(expression, from + before, begin + seconds)', to: 'undefined as never' },
    ],
    project: 'libs/domain/scheduling',
    tests: 'next-run.spec',
  },
];
