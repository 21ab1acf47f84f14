import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled, wordsOf } from "../../_words/server.ts";
import { Told } from "./told.tsx";
import { WishList } from "./wish-list.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Notifications() {
  const [{ viewedBy }, says] = await Promise.all([requirePerson(), wordsOf(PAGE)]);
  return await shown(
    <>
      <PageHeader title={says.title} />
      <Told />
      {viewedBy === null && <WishList />}
    </>,
    read(trpc.notifications.list.queryOptions()),
    read(trpc.notifications.wishes.queryOptions()),
  );
}
