import type { Variables } from "./variables.ts";

/** Each signing key signs one kind of text and has one name: a signature of one kind must never count as another. */
export function reportSharedKeys({ PROOF_KEYS = [], CALLBACK_KEYS = [], AUDIT_KEY }: Variables, report: (problem: string) => void): void {
  for (const { id } of CALLBACK_KEYS) {
    if (PROOF_KEYS.some((other) => other.id === id)) report(`CALLBACK_KEYS: ${id} is the name of a key of PROOF_KEYS.`);
  }
  const seen = new Map<string, string>();
  const note = (key: Uint8Array, name: string, sentence: string) => {
    const bytes = Buffer.from(key).toString("hex");
    const before = seen.get(bytes);
    if (before === undefined) seen.set(bytes, name);
    else report(`${sentence} the same key as ${before}; make one with: openssl rand -base64 32`);
  };
  for (const [setting, keys] of Object.entries({ PROOF_KEYS, CALLBACK_KEYS }))
    for (const { id, key } of keys) note(key, `${id} of ${setting}`, `${setting}: ${id} is`);
  if (AUDIT_KEY !== undefined) note(AUDIT_KEY, "AUDIT_KEY", "AUDIT_KEY is");
}
