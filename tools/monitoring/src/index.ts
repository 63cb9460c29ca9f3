export { dashboardFile } from './dashboards.js';
