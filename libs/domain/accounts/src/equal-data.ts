/** Whether two values of plain data say the same, whatever the order of their fields. */
export function isEqualData(left: unknown, right: unknown): boolean {
  if (!isComposed(left) || !isComposed(right)) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys({ ...left, ...right });
  return names.every((name) => isEqualData(fieldOf(left, name), fieldOf(right, name)));
}

function isComposed(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function fieldOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
