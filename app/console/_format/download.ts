/** As a file of this page's own making: nothing is asked of the server, and the file's address is given back soon after. */
export function download(name: string, parts: BlobPart[], type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
