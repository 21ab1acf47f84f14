import type { Metadata } from "next";
import { read, requireOwner, shown, trpc } from "../../_trpc/page.ts";
import { PeopleScreen } from "../people/people-screen.tsx";

export const metadata: Metadata = { title: "Team" };

export default async function Team() {
  const { userId, partnerId, partnerName } = await requireOwner();
  return await shown(
    <PeopleScreen title="Team" own={{ kind: "partner", id: partnerId ?? "", name: partnerName ?? "" }} self={userId} partners={[]} />,
    read(trpc.people.list.queryOptions({})),
    read(trpc.people.permissions.queryOptions()),
  );
}
