export {
  deletePostgresData,
  type EmbeddedPostgres,
  runningPostgres,
  startPostgres,
  type StartOptions,
} from './embedded-postgres.js';
