/** Blocks of a page without a language are queries, one in each line. */
export function queriesIn(page: string): readonly string[] {
  const lines = page.split('\n').map((line) => line.trim());
  let language: string | undefined;
  return lines.filter((line) => {
    if (!line.startsWith('```')) return language === '';
    language = language === undefined ? line.slice(3) : undefined;
    return false;
  });
}
