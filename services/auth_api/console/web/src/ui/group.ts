/** The rows under each key, in the order in which the keys came. */
export const grouped = <T>(rows: readonly T[], key_of: (row: T) => string): [string, T[]][] => {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = key_of(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups];
};
