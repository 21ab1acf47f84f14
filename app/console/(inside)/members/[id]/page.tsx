import { orNotFound, requirePerson, serverQueries, shown, trpc } from "../../../_trpc/page.ts";
import { titled } from "../../../_words/server.ts";
import { MemberPage } from "./member-page.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export default async function Member({ params }: { params: Promise<{ id: string }> }) {
  const [{ id }, { partnerId, role }] = await Promise.all([params, requirePerson()]);
  // A malformed id is also 404.
  const query = trpc.members.byId.queryOptions({ id: UUID.test(id) ? id : "00000000-0000-4000-8000-000000000000" });
  await orNotFound(serverQueries().fetchQuery(query));
  return await shown(<MemberPage id={id.toLowerCase()} isOperator={partnerId === null} mayManage={role === "owner"} />);
}
