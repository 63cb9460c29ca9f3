/** What commander says of wrong words, as a sentence that ends where to look. */
export function complaintOf({ message }: { readonly message: string }): string {
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  const capital = text.slice(0, 1).toUpperCase() + text.slice(1);
  return `${capital}${/[.?)]$/.test(capital) ? '' : '.'} See --help.`;
}
