import { read, requireOwner, shown, trpc } from "../../_trpc/page.ts";
import { titled, translationsOf } from "../../_words/server.ts";
import { PeopleScreen } from "../people/people-screen.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Team() {
  const { userId, partnerId, partnerName } = await requireOwner();
  const t = await translationsOf(PAGE);
  return await shown(
    <PeopleScreen title={t.title} own={{ kind: "partner", id: partnerId ?? "", name: partnerName ?? "" }} self={userId} partners={[]} />,
    read(trpc.people.list.queryOptions({})),
    read(trpc.people.permissions.queryOptions()),
  );
}
