import { Trouble } from "./exit.ts";

/** Checks of the input before anything is sent. */

export function needed(value: string | undefined, name: string): string {
  if (value === undefined || value === "") throw new Trouble(`${name} is missing.`);
  return value;
}

/** Just these positionals and no more. */
export function only(positionals: readonly string[], ...names: readonly string[]): string[] {
  if (positionals.length > names.length)
    throw new Trouble(`Unexpected argument "${positionals[names.length]}": the command takes ${names.join(" ") || "no argument"}.`);
  return names.map((name, place) => needed(positionals[place], name));
}

export function wholeNumber(text: string, name: string, [least, most]: readonly [number, number]): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Trouble(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}

export function milliseconds(seconds: string): number {
  return wholeNumber(seconds, "--timeout", [1, 86_400]) * 1_000;
}

export function httpUrl(text: string, name: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Trouble(`${name} must be an http or https URL, not "${text}".`);
  return text;
}
