import { z } from "zod";

/** Plain names of formats; others have none. */
const FORMATS: Record<string, string> = {
  datetime: "must be an ISO 8601 instant with its zone, such as 2026-01-31T12:00:00Z",
  email: "must be an e-mail address",
  uuid: "must be a UUID",
};

/**
 * What is wrong with a value, in this service's own words (`must be at most 9007199254740991`) instead of a schema library's, which change
 * with its versions. A schema's own message takes precedence.
 */
export function ownWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return isWhole(issue) ? "must be a whole number" : `must be of type ${issue.expected}`;
    case "too_small":
      return tooLittle(issue);
    case "too_big":
      return tooMuch(issue);
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? "does not have the required format";
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return "is not valid";
  }
}

/** A text in place of a whole number fails the type `number` first, without a word about a fraction. */
function isWhole({ expected, inst }: Extract<z.core.$ZodRawIssue, { code: "invalid_type" }>): boolean {
  return expected === "int" || (expected === "number" && inst instanceof z.core.$ZodNumberFormat);
}

function tooLittle({ origin, minimum, inclusive }: Extract<z.core.$ZodRawIssue, { code: "too_small" }>): string {
  if (origin === "string") return `must have at least ${minimum} characters`;
  if (origin === "array" || origin === "set") return `must have at least ${minimum} entries`;
  return inclusive === false ? `must be above ${minimum}` : `must be at least ${minimum}`;
}

function tooMuch({ origin, maximum, inclusive }: Extract<z.core.$ZodRawIssue, { code: "too_big" }>): string {
  if (origin === "string") return `must have at most ${maximum} characters`;
  if (origin === "array" || origin === "set") return `must have at most ${maximum} entries`;
  return inclusive === false ? `must be below ${maximum}` : `must be at most ${maximum}`;
}
