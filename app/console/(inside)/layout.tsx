import type { ReactNode } from "react";
import { Frame } from "../_components/frame/frame.tsx";
import { orStandIn, requirePerson, serverQueries, troublesNow, trpc } from "../_trpc/page.ts";

/** Around every page for signed-in users. */
export default async function InsideLayout({ children }: { children: ReactNode }) {
  await requirePerson();
  const [me, clock, troubles] = await orStandIn(
    Promise.all([
      serverQueries().fetchQuery(trpc.session.me.queryOptions()),
      serverQueries().fetchQuery(trpc.session.clock.queryOptions()),
      troublesNow(),
    ]),
  );
  return (
    <Frame me={me} now={clock.now} troubles={troubles}>
      {children}
    </Frame>
  );
}
