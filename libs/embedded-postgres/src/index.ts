export {
  deletePostgresData,
  type EmbeddedPostgres,
  runningPostgres,
  startEmbeddedPostgres,
  type StartOptions,
} from './embedded-postgres.js';
