/** The same of several databases, with blanks between: one for each cell of a service (page 0047). */
export function databaseAddresses(text: string): readonly string[] {
  return text.trim().split(/\s+/).map(databaseAddress);
}

/**
 * Reads the address of a PostgreSQL, for `@Variable`; throws what it must be, and never repeats the
 * text, which holds a password.
 */
export function databaseAddress(text: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(text)) throw new Error('must begin with postgres://');
  if (!URL.canParse(text)) {
    throw new Error(
      'must look like postgres://user:password@host:5432/database, with %XX for whatever a URL ' +
        'gives another meaning',
    );
  }
  return text;
}
