// `npm run kafka -- start | stop | status`: a local Kafka that goes on until it is stopped.
import './ensure-packages.mjs';
import { build } from './build.mjs';

await build();
await import(new URL('./kafka/dist/main.js', import.meta.url).href);
