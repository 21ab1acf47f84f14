/** Bytes and texts, with what every engine has: servers and browsers read the same code. */

const encoder = new TextEncoder();
/** Invalid UTF-8 becomes U+FFFD; a byte order mark stays. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export type Bytes = Uint8Array<ArrayBuffer>;

export function utf8Bytes(text: string): Bytes {
  return encoder.encode(text);
}

export function utf8Text(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** One byte a character: what is beyond one byte is cut down. */
export function latin1Bytes(text: string): Bytes {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** One character a byte. */
export function latin1Text(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes of as many pairs of hexadecimal digits as the text begins with. */
export function hexBytes(text: string): Bytes {
  const pairs = /^(?:[0-9a-fA-F]{2})*/.exec(text)?.[0] ?? "";
  return Uint8Array.from({ length: pairs.length / 2 }, (_, index) => Number.parseInt(pairs.slice(index * 2, index * 2 + 2), 16));
}

export function base64Text(bytes: Uint8Array): string {
  return btoa(latin1Text(bytes));
}

/** In either alphabet, with or without padding; empty for an invalid text. */
export function base64Bytes(text: string): Bytes {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  try {
    return latin1Bytes(atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain));
  } catch {
    return new Uint8Array();
  }
}

export function joinBytes(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Takes as long whatever the bytes are. */
export function areEqualBytes(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index += 1) difference |= (one[index] ?? 0) ^ (other[index] ?? 0);
  return difference === 0;
}
