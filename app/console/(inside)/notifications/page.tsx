import type { Metadata } from "next";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { Told } from "./told.tsx";
import { WishList } from "./wish-list.tsx";

export const metadata: Metadata = { title: "Notifications" };

export default async function Notifications() {
  const { viewedBy } = await requirePerson();
  return await shown(
    <>
      <PageHeader title="Notifications" />
      <Told />
      {viewedBy === null && <WishList />}
    </>,
    read(trpc.notifications.list.queryOptions()),
    read(trpc.notifications.wishes.queryOptions()),
  );
}
