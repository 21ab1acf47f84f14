import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled, translationsOf } from "../../_words/server.ts";
import { Notices } from "./notices.tsx";
import { WishList } from "./wish-list.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Notifications() {
  const [{ viewedBy }, t] = await Promise.all([requirePerson(), translationsOf(PAGE)]);
  return await shown(
    <>
      <PageHeader title={t.title} />
      <Notices />
      {viewedBy === null && <WishList />}
    </>,
    read(trpc.notifications.list.queryOptions()),
    read(trpc.notifications.wishes.queryOptions()),
  );
}
