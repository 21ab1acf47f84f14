/**
 * Next bundles its own copy of the services next to the adapters that the front door made, so an error may come from another copy of this
 * module. `instanceof` compares names, so that it recognises both.
 */
function isA(kind: object, base: object, error: unknown, name: string): boolean {
  // A kind of its own is known only by its class.
  if (kind !== base) return Function.prototype[Symbol.hasInstance].call(kind as never, error);
  return error instanceof Error && error.name === name;
}

/** Nothing is known: try again. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";

  static override [Symbol.hasInstance](error: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass asks for its own kind
    return isA(this, Unreachable, error, "Unreachable");
  }
}

/** A fact: the other side has refused. */
export class Rejected extends Error {
  override readonly name = "Rejected";

  static override [Symbol.hasInstance](error: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass asks for its own kind
    return isA(this, Rejected, error, "Rejected");
  }
}
