/** Messages on the signer's socket: four bytes of length, then JSON. */

const LENGTH_BYTES = 4;
/** A batch of 512 payments has some 300 kB. */
const LONGEST_BYTES = 16 * 1024 * 1024;

/** The other side does not speak as agreed: the connection is of no use any more. */
export class BadFrame extends Error {
  override readonly name = "BadFrame";
}

/** A text in which amounts and moments keep their types. */
export const toText = (message: unknown): string => JSON.stringify(message, toJson);

/** What {@link toText} wrote. @throws SyntaxError, BadFrame */
export const fromText = (text: string): unknown => JSON.parse(text, fromJson);

/** Amounts and moments keep their types. */
export function writeFrame(message: unknown): Buffer {
  const text = Buffer.from(toText(message));
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + text.length);
  frame.writeUInt32BE(text.length);
  text.copy(frame, LENGTH_BYTES);
  return frame;
}

/** Reads frames out of a stream, however it is cut. @throws BadFrame */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: Buffer): unknown[] {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const messages: unknown[] = [];
    for (let frame = this.#take(); frame !== null; frame = this.#take()) messages.push(read(frame));
    return messages;
  }

  #take(): Buffer | null {
    if (this.#size < LENGTH_BYTES) return null;
    const [first] = this.#chunks;
    const head = first !== undefined && first.length >= LENGTH_BYTES ? first : this.#join();
    const length = head.readUInt32BE(0);
    if (length === 0 || length > LONGEST_BYTES) throw new BadFrame("a frame has an impossible length");
    const end = LENGTH_BYTES + length;
    if (this.#size < end) return null;
    const whole = this.#join();
    this.#chunks = whole.length > end ? [whole.subarray(end)] : [];
    this.#size -= end;
    return whole.subarray(LENGTH_BYTES, end);
  }

  #join(): Buffer {
    const whole = this.#chunks.length === 1 && this.#chunks[0] !== undefined ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }
}

function read(frame: Buffer): unknown {
  try {
    return fromText(frame.toString("utf8"));
  } catch {
    throw new BadFrame("a frame is no JSON");
  }
}

function toJson(this: unknown, key: string, value: unknown): unknown {
  const raw = (this as Record<string, unknown>)[key];
  if (raw instanceof Date) return { "#at": raw.getTime() };
  return typeof value === "bigint" ? { "#n": value.toString() } : value;
}

function fromJson(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new BadFrame("a member has a forbidden name");
  if (typeof value !== "object" || value === null) return value;
  if ("#n" in value && typeof value["#n"] === "string" && /^-?\d{1,80}$/.test(value["#n"])) return BigInt(value["#n"]);
  if ("#at" in value && typeof value["#at"] === "number") return new Date(value["#at"]);
  return value;
}
