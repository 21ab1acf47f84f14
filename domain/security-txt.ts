/** How long a reader may rely on what it was told: it is written again for each request, so it never runs out while the service runs. */
const VALID_MS = 90 * 86_400_000;

export const SECURITY_TXT_PATH = "/.well-known/security.txt";

/** `security.txt` as RFC 9116 has it: whom to tell of a vulnerability. `contact`: a `mailto:`, `https:` or `tel:` URI; `baseUrl`: without a slash at its end. */
export function securityTxt({ contact, baseUrl, now }: { contact: string; baseUrl: string; now: Date }): string {
  const expires = new Date(now.getTime() + VALID_MS).toISOString();
  const lines = [`Contact: ${contact}`, `Expires: ${expires}`, `Canonical: ${baseUrl}${SECURITY_TXT_PATH}`, "Preferred-Languages: en"];
  return `${lines.join("\n")}\n`;
}
