import { type Dashboard, grafanaDashboard } from './dashboard.js';
import { kafkaAndProjections } from './kafka-dashboard.js';
import { overview } from './overview-dashboard.js';
import { processes } from './processes-dashboard.js';

/** All of them, the one to look at first in front. */
export const dashboards: readonly Dashboard[] = [overview, kafkaAndProjections, processes];

/** The text of a dashboard's file in `k8s/components/monitoring/dashboards`, which has its uid as name. */
export function dashboardFile(uid: string): string {
  const dashboard = dashboards.find((one) => one.uid === uid);
  if (dashboard === undefined) throw new Error(`There is no dashboard ${uid}.`);
  return `${JSON.stringify(grafanaDashboard(dashboard), null, 2)}\n`;
}
