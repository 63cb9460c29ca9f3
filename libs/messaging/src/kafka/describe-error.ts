/** Name and message only: other fields of an error may hold what must not be logged (D-46). */
export function describeError(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  if (typeof error !== 'object' || error === null || !('message' in error)) return 'unknown error';
  return String(error.message);
}
