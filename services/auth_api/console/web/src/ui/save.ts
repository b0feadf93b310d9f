/** Hands CSV to the browser as a download, named with the day. */
export const save = (csv: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(csv);
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
