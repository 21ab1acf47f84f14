/** An absolute URL, which a phone's camera can open. */
const LINK = /(?<![\w+.-])(?!http:)[a-z][a-z0-9+.-]*:\/\/[^\s<>"]+/i;

/** The payment link in the provider's instructions; null: they are only text, which is no use as a QR code. */
export function payLink(instructions: string): string | null {
  return (
    LINK.exec(instructions)?.[0]
      .replace(/[.,;:!?)\]]+$/, "")
      .trim() ?? null
  );
}
