import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Frame } from "../_components/frame/frame.tsx";
import { readPreferences } from "../_format/preferences.ts";
import { requirePerson, serverQueries, trpc } from "../_trpc/page.ts";

/** Around every page for those who are signed in. */
export default async function InsideLayout({ children }: { children: ReactNode }) {
  await requirePerson();
  const [me, clock, kept] = await Promise.all([
    serverQueries().fetchQuery(trpc.session.me.queryOptions()),
    serverQueries().fetchQuery(trpc.session.clock.queryOptions()),
    cookies(),
  ]);
  return (
    <Frame me={me} now={clock.now} preferences={readPreferences((name) => kept.get(name)?.value)}>
      {children}
    </Frame>
  );
}
