/**
 * Loaded before a process of the service (`--import`), lets its machine's clock be wrong by so many milliseconds (`?ms=600000`), as a
 * machine without time service has it. The database keeps its own.
 */
const ms = Number(new URL(import.meta.url).searchParams.get("ms"));
const Right = Date;

class Skewed extends Right {
  constructor(...told: unknown[]) {
    if (told.length === 0) super(Right.now() + ms);
    else super(...(told as [string]));
  }

  static override now(): number {
    return Right.now() + ms;
  }
}

globalThis.Date = Skewed as DateConstructor;
