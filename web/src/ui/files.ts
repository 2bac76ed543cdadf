// Giving files to the user.
export function download(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers only begin to read after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
