import { useQuery } from "@tanstack/react-query";
import { Bell as BellSign, Settings2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { IconButton } from "#app/console/_components/controls/button.tsx";
import { Menu, MenuHeading, MenuItem, MenuSeparator } from "#app/console/_components/controls/menu.tsx";
import { Time } from "#app/console/_components/controls/values.tsx";
import { useLiveChanges, useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { Notice } from "./notice.tsx";
import { BELL } from "./words.ts";

/** Only the worker finds new notices, and no event announces them, so the bell polls. Decisions arrive live. */
const LOOK_MS = 15_000;
const SHOWN = 6;
/** Changes after which fewer decisions may be open. */
const DECIDES = /^settlement\.(approved|rejected|cancelled|approval_recorded)$|^proposal\./;

/** The number of unread notices, the newest of them, and a link to each. */
export function Bell() {
  const t = useTranslations(BELL);
  const trpc = useTRPC();
  const unread = useQuery(trpc.notifications.unread.queryOptions(undefined, { refetchInterval: LOOK_MS })).data?.count ?? 0;
  const refresh = useRefresh(trpc.notifications.unread.queryKey(), trpc.notifications.list.queryKey());
  useLiveChanges(({ action }) => DECIDES.test(action), refresh);
  return (
    <span className="bell">
      <Menu trigger={<IconButton label={unread === 0 ? t.notifications : t.title(unread)} icon={BellSign} />}>
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
  const { data, isPending } = useQuery(trpc.notifications.list.queryOptions(undefined, { staleTime: 0, refetchInterval: LOOK_MS }));
  const follow = (id: string, page: string) => {
    router.push(page);
    void notifications.markRead.mutate({ id }).then(refresh, () => {});
  };
  return (
    <>
      <MenuHeading>
        <strong>{t.notifications}</strong>
        {data?.length === 0 && <span>{t.none}</span>}
        {isPending && <span>{t.loading}</span>}
      </MenuHeading>
      {data?.slice(0, SHOWN).map((noted) => (
        <MenuItem key={noted.id} {...(!noted.is_read && { icon: BellSign })} onSelect={() => follow(noted.id, noted.page)}>
          <span className="bell-line">
            <Notice of={noted} />
          </span>
          <span className="menu-aside">
            <Time at={noted.at} />
          </span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={Settings2} onSelect={() => router.push("/console/notifications")}>
        {t.all}
      </MenuItem>
    </>
  );
}
