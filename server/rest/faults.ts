import type { z } from "zod";
import { InexactNumber } from "#contract/json-number.ts";
import { type Fault, type FaultCode, Refusal } from "#domain/refusal.ts";
import { ownWords } from "./own-words.ts";

/** The place of an input in the request: faults of the query name a `parameter`, others a JSON `pointer` (contract, part 9). */
export type InputPart = "body" | "query" | "params";

/** Enough for a fault in each item of a batch. */
const MAX_FAULTS = 500;

/**
 * The input as its schema reads it.
 *
 * @throws Refusal `validation_failed` with every fault.
 */
export function readInput<Schema extends z.ZodType>(schema: Schema, input: unknown, part: InputPart): z.output<Schema> {
  const texts = unstorableTexts(input, []);
  if (texts.length > 0) throw invalid(texts.map((path) => fault(part, path, "invalid_text", "must be well-formed text without NUL")));
  const result = schema.safeParse(input, { error: ownWords });
  if (result.success) return result.data;
  throw invalid(oncePerPlace(result.error.issues.flatMap((issue) => faultsOf(issue, input, part))));
}

/** The first fault of each value: a schema's later ones follow from it. */
function oncePerPlace(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  return faults.filter(({ pointer, parameter }) => {
    const place = parameter ?? pointer ?? "";
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}

export function invalid(errors: readonly Fault[]): Refusal {
  return new Refusal("validation_failed", { errors: errors.slice(0, MAX_FAULTS) });
}

function faultsOf(issue: z.core.$ZodIssue, input: unknown, part: InputPart): Fault[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const what = part === "query" ? "parameter" : "field";
    return issue.keys.map((key) => fault(part, [...path, key], "unknown", `is not a ${what} of this operation`));
  }
  const value = valueAt(input, path);
  if (value === undefined) return [fault(part, path, "required", "is required")];
  if (value instanceof InexactNumber) return [fault(part, path, "not_exact", "is a number that cannot be kept exactly")];
  return [fault(part, path, codeOf(issue), issue.message)];
}

function codeOf(issue: z.core.$ZodIssue): FaultCode {
  const isText = "origin" in issue && issue.origin === "string";
  switch (issue.code) {
    case "too_small":
      return isText ? "too_short" : "too_small";
    case "too_big":
      return isText ? "too_long" : "too_large";
    case "invalid_type":
    case "invalid_format":
    case "invalid_value":
      return issue.code;
    default:
      return "invalid";
  }
}

function fault(part: InputPart, path: readonly string[], code: FaultCode, message: string): Fault {
  if (part === "query") return { parameter: path.join("."), code, message };
  return { pointer: path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""), code, message };
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, step)?.value;
  }
  return value;
}

/** Texts with a NUL or a lone surrogate: no database stores them unchanged, so all are refused. */
function unstorableTexts(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (typeof value === "string") return value.includes("\u0000") || !value.isWellFormed() ? [path] : [];
  if (typeof value !== "object" || value === null || value instanceof InexactNumber) return [];
  return Object.entries(value).flatMap(([key, inner]) => unstorableTexts(inner, [...path, key]));
}
