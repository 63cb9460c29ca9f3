import { type RunSource, runSources } from '@sluice/contracts';
import type { ScheduleEvent } from './schedule.js';

const [SCHEDULER, RECOVERY] = runSources;

/** Whose doing the last of a schedule's events is: `MACRETRY` for what concerns the tries of a declined run. */
export function latestSource(events: readonly ScheduleEvent[]): RunSource {
  const latest = events.at(-1);
  switch (latest?.type) {
    case 'RecoveryPlanned':
      return latest.data.source ?? RECOVERY;
    case 'RecoveryEnded':
      return RECOVERY;
    case 'RunDue':
      return latest.data.source;
    case 'RunStarted':
    case 'RunPerformed':
    case 'RunFailed':
    case 'RunCancelled':
      return sourceOfRun(events, latest.data.runId);
    case 'ScheduleCreated':
    case 'ScheduleRejected':
    case 'ScheduleRescheduled':
    case 'ScheduleDescheduled':
    case 'ScheduleDeleted':
    case 'RunsSkipped':
    case 'ScheduleEnded':
    case undefined:
      return SCHEDULER;
  }
}

function sourceOfRun(events: readonly ScheduleEvent[], runId: string): RunSource {
  for (const event of events) {
    if (event.type === 'RunDue' && event.data.runId === runId) return event.data.source;
  }
  return SCHEDULER;
}
