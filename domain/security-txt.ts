/** How long the file is valid. It is generated for each request, so it never expires while the service runs. */
const VALID_MS = 90 * 86_400_000;

export const SECURITY_TXT_PATH = "/.well-known/security.txt";

/**
 * `security.txt` by RFC 9116: where to report a vulnerability. `contact`: a `mailto:`, `https:` or `tel:` URI; `baseUrl`: without a
 * trailing slash.
 */
export function securityTxt({ contact, baseUrl, now }: { contact: string; baseUrl: string; now: Date }): string {
  const expires = new Date(now.getTime() + VALID_MS).toISOString();
  const lines = [`Contact: ${contact}`, `Expires: ${expires}`, `Canonical: ${baseUrl}${SECURITY_TXT_PATH}`, "Preferred-Languages: en"];
  return `${lines.join("\n")}\n`;
}
