export { poissonArrivalsMs } from './open-loop.js';
