/**
 * Loaded before a process of the service (`--import`): shifts its machine's clock by this many milliseconds (`?ms=600000`), as on a machine
 * without time service. The database keeps its own clock.
 */
const ms = Number(new URL(import.meta.url).searchParams.get("ms"));
const Right = Date;

class Skewed extends Right {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(Right.now() + ms);
    else super(...(args as [string]));
  }

  static override now(): number {
    return Right.now() + ms;
  }
}

globalThis.Date = Skewed as DateConstructor;
