import { useQuery } from "@tanstack/react-query";
import { Bell as BellSign, Settings2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { IconButton } from "#app/console/_components/controls/button.tsx";
import { Menu, MenuHeading, MenuItem, MenuSeparator } from "#app/console/_components/controls/menu.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Served } from "../../_words/served.tsx";
import { useTranslations } from "../../_words/words.ts";
import { BELL } from "./words.ts";

/** What waits is looked at again now and then: it is found by the worker, and told nowhere else. */
const LOOK_MS = 15_000;
const SHOWN = 6;

/** How much somebody has not looked at yet, the newest of it, and one click to each. */
export function Bell() {
  const t = useTranslations(BELL);
  const trpc = useTRPC();
  const unread = useQuery(trpc.notifications.unread.queryOptions(undefined, { refetchInterval: LOOK_MS })).data?.count ?? 0;
  return (
    <span className="bell">
      <Menu trigger={<IconButton label={unread === 0 ? t.notifications : t.notificationsUnread(unread)} icon={BellSign} />}>
        <Newest />
      </Menu>
      {unread > 0 && (
        <span className="bell-count" aria-hidden>
          {unread > 99 ? "99+" : unread}
        </span>
      )}
    </span>
  );
}

function Newest() {
  const t = useTranslations(BELL);
  const trpc = useTRPC();
  const router = useRouter();
  const { notifications } = useTRPCClient();
  const refresh = useRefresh(trpc.notifications.unread.queryKey(), trpc.notifications.list.queryKey());
  const { data, isPending } = useQuery(trpc.notifications.list.queryOptions(undefined, { staleTime: 0 }));
  const follow = (id: string, page: string) => {
    router.push(page);
    void notifications.markRead.mutate({ id }).then(refresh, () => {});
  };
  return (
    <>
      <MenuHeading>
        <strong>{t.notifications}</strong>
        {data?.length === 0 && <span>{t.nothingWantedYou}</span>}
        {isPending && <span>{t.looking}</span>}
      </MenuHeading>
      {data?.slice(0, SHOWN).map(({ id, text, page, is_read }) => (
        <MenuItem key={id} {...(!is_read && { icon: BellSign })} onSelect={() => follow(id, page)}>
          <span className="bell-line">
            {!is_read && <span className="sr-only">{t.unread} </span>}
            <Served>{text}</Served>
          </span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={Settings2} onSelect={() => router.push("/console/notifications")}>
        {t.allThemWhat}
      </MenuItem>
    </>
  );
}
