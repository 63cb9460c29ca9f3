import type { Dashboard } from './dashboard.js';

const HERE = 'namespace="$namespace"';
const RATE = '[$__rate_interval]';

/** The row of the overview about schedules and their runs. */
export const scheduleRow: Dashboard['rows'][number] = {
  title: 'Schedules',
  panels: [
    {
      title: 'Runs of schedules',
      description: 'A second, by what came of them; cancelled: the schedule ended before.',
      unit: 'ops',
      width: 12,
      stacked: true,
      queries: [
        {
          expr: `sum by (outcome) (rate(sluice_schedule_runs_total{${HERE}}${RATE}))`,
          legend: '{{outcome}}',
        },
      ],
    },
    {
      title: 'How late schedules are',
      description:
        'For how long the one has been due that nobody has dealt with for longest; minutes call somebody.',
      unit: 's',
      width: 12,
      queries: [{ expr: `max(sluice_schedules_due_seconds{${HERE}})`, legend: 'due' }],
    },
  ],
};
