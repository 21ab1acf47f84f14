import type { z } from "zod";

/** Where in a JSON value a fault is: `[0].tokens[1].decimals`. */
export function placeOf(path: readonly PropertyKey[]): string {
  return path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
}

/** What is wrong there, as the end of a sentence that begins with the place. */
export function plainIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `has unknown members: ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input")) {
    return issue.message.endsWith("received undefined") ? `is missing: it wants a ${issue.expected}` : `wants a ${issue.expected}`;
  }
  return issue.message.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}
