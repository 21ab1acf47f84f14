import { compare, type Decimal, decimal, parseDecimal } from "#domain/decimal.ts";
import { Rejected, Unreachable } from "#server/ports.ts";

/** JSON in which every number is the text that it was written as: no digit passes through floating point. */
export type ExactJson = string | boolean | null | readonly ExactJson[] | { readonly [name: string]: ExactJson };

type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown;
const parse: (text: string, reviver: Reviver) => ExactJson = JSON.parse;

/** @throws Rejected when the text is not JSON. */
export function parseExactJson(text: string): ExactJson {
  try {
    return parse(text, (_name, value, context) => (typeof value === "number" ? (context?.source ?? null) : value));
  } catch (cause) {
    throw new Rejected("the answer is no JSON", { cause });
  }
}

/** The member of that name, where the value is an object that has it. */
export function member(value: ExactJson | undefined, name: string): ExactJson | undefined {
  if (typeof value !== "object" || value === null || isList(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isList(value: ExactJson | undefined): value is readonly ExactJson[] {
  return Array.isArray(value);
}

/** No price has more characters; anyone who sends a thousand digits means harm. */
const LONGEST_PRICE = 40;
const ZERO = decimal("0");

/**
 * A price in a source's notation, as a number or as a text.
 *
 * @throws Rejected when it is not a plain number above zero.
 */
export function readPrice(value: ExactJson | undefined): Decimal {
  const price = typeof value === "string" && value.length <= LONGEST_PRICE ? parseDecimal(value) : null;
  if (
    price === null ||
    compare(price, ZERO) <= 0 ||
    Math.abs(price.scale) > LONGEST_PRICE ||
    price.coefficient.toString().length > 2 * LONGEST_PRICE
  ) {
    throw new Rejected("the answer holds no price");
  }
  return price;
}

/**
 * An instant in a source's notation: Unix seconds or milliseconds, a date, or ISO 8601; null when there is none.
 *
 * @throws Rejected when it is something else.
 */
export function readInstant(value: ExactJson | undefined): Date | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" && value.length <= LONGEST_PRICE) {
    const digits = /^(\d{9,13})(?:\.\d+)?$/.exec(value)?.[1];
    const instant = digits === undefined ? new Date(value) : new Date(Number(digits) * (digits.length > 11 ? 1 : 1_000));
    if (!Number.isNaN(instant.getTime())) return instant;
  }
  throw new Rejected("the answer's time cannot be read");
}

export type Answer = {
  text: string /** Real time at which it arrived, less what a cache on the way says it has kept it for. */;
  asOf: Date;
};
export type ReadAnswer = {
  url: string;
  headers?: Readonly<Record<string, string>>;
  maximumBytes: number;
  signal: AbortSignal;
  now: () => Date;
};

/**
 * Reads a source's answer, at most `maximumBytes` of it and not after `signal`. A redirect is not an answer: it could lead into our own
 * network.
 *
 * @throws Unreachable when nothing is known, Rejected when the source answered something other than a price.
 */
export async function readAnswer(request: ReadAnswer): Promise<Answer> {
  try {
    const response = await fetch(request.url, {
      headers: { accept: "application/json, application/xml;q=0.9", ...request.headers },
      redirect: "error",
      signal: request.signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Rejected(`the source answered ${response.status}`);
    }
    const text = await readText(response, request.maximumBytes);
    return { text, asOf: new Date(request.now().getTime() - ageOf(response) * 1_000) };
  } catch (cause) {
    if (cause instanceof Rejected) throw cause;
    throw new Unreachable(request.signal.aborted ? "the source took too long" : "the source cannot be reached", { cause });
  }
}

async function readText(response: Response, maximumBytes: number): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let length = 0;
  // Leaving the loop early cancels the body and closes the connection.
  for await (const chunk of response.body) {
    length += chunk.byteLength;
    if (length > maximumBytes) throw new Rejected(`the answer is longer than ${maximumBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function ageOf(response: Response): number {
  const age = response.headers.get("age") ?? "";
  return /^\d{1,9}$/.test(age) ? Number(age) : 0;
}
