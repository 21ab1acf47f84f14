/** Saves a file made in the page. No request is sent, and the object URL is revoked soon after. */
export function download(name: string, parts: BlobPart[], type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
