import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/**
 * A password that somebody chose, as it is stored. `about`: what a guesser knows of the person.
 *
 * @throws Refusal `validation_failed`, at `pointer`, for one that is easily guessed.
 */
export async function hashNewPassword(
  ctx: Uses<"passwords">,
  password: string,
  about: readonly string[],
  pointer: string,
): Promise<string> {
  const weakness = await ctx.passwords.weakness(password, about);
  if (weakness !== null) throw new Refusal("validation_failed", { errors: [{ pointer, code: "weak_password", message: weakness }] });
  return await ctx.passwords.hash(password);
}
