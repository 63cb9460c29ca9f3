/** What is needed of a pool of `pg`. */
interface Queries {
  query(text: string, values?: readonly unknown[]): Promise<unknown>;
}

/** The functions that services ask what time it is, each behind one that adds to it. */
const BEHIND_OTHERS = ['now', 'clock_timestamp'].flatMap((name) => [
  `ALTER FUNCTION pg_catalog.${name}() RENAME TO machine_${name}`,
  `CREATE FUNCTION pg_catalog.${name}() RETURNS timestamptz
   LANGUAGE sql STABLE SECURITY DEFINER AS $$
     SELECT pg_catalog.machine_${name}()
       + make_interval(secs => coalesce((SELECT milliseconds / 1000 FROM public.clock_ahead
           WHERE role IS NULL OR role = session_user), 0)) $$`,
]);

/**
 * Puts a clock of its own into one database, which can be set without touching the machine's. Only
 * sessions that begin afterwards ask it, and with a role those of that role alone. `owner` is a superuser's pool.
 */
export async function settableDatabaseClock(
  owner: Queries,
  role?: string,
): Promise<{ setAhead(milliseconds: number): Promise<void> }> {
  await owner.query('CREATE TABLE public.clock_ahead (milliseconds float8, role text)');
  await owner.query('INSERT INTO public.clock_ahead VALUES (0, $1)', [role ?? null]);
  for (const statement of BEHIND_OTHERS) await owner.query(statement);
  return {
    setAhead: async (milliseconds) => {
      await owner.query('UPDATE public.clock_ahead SET milliseconds = $1', [milliseconds]);
    },
  };
}
