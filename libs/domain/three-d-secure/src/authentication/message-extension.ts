/** An element of `messageExtension` that nobody has to understand. */
export function extension(
  name: string,
  id: string,
  data: Readonly<Record<string, number | string>>,
): object {
  return { name, id, criticalityIndicator: false, data };
}
