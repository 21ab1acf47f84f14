import NextAuth from "next-auth";
import type { Context } from "#server/context.ts";
import { authOptions } from "./options.ts";
import type { AuthSettings } from "./settings.ts";

type Segments = { params: Promise<{ nextauth: string[] }> };

/** next-auth's own endpoints: signing in and out, and the token that its forms carry. */
export async function handleAuth(
  { ctx, config }: { ctx: Context; config: AuthSettings },
  request: Request,
  segments: Segments,
): Promise<Response> {
  return await NextAuth(authOptions(ctx, config))(request, segments);
}
