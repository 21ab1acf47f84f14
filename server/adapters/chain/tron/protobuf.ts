/** A field of a protobuf message: a number is a varint, bytes and messages have a length. */
export type Field = { number: number; value: bigint | Uint8Array };

/** The bytes of a message. Fields appear in the given order; the default value of a field (0, no bytes) is left out by the caller. */
export function encodeMessage(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(({ number, value }) => {
      const isVarint = typeof value === "bigint";
      const key = varint((BigInt(number) << 3n) | (isVarint ? 0n : 2n));
      return isVarint ? [key, varint(value)] : [key, varint(BigInt(value.length)), value];
    }),
  );
}

/** The fields of a message, in their order. @throws Error for bytes that are no message of varints and bytes */
export function decodeMessage(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = () => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error("a number of the message does not end");
  };
  while (at < bytes.length) {
    const key = readVarint();
    const number = Number(key >> 3n);
    if ((key & 7n) === 0n) fields.push({ number, value: readVarint() });
    else if ((key & 7n) === 2n) {
      const length = Number(readVarint());
      if (length > bytes.length - at) throw new Error("a field of the message is longer than the message");
      fields.push({ number, value: bytes.subarray(at, at + length) });
      at += length;
    } else throw new Error("the message has a field of another kind");
  }
  return fields;
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}
