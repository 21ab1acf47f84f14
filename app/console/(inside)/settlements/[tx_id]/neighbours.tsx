import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { IconButton } from "../../../_components/controls/button.tsx";
import { useShortcut } from "../../../_components/frame/shortcuts.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import type { filterOf } from "../search-params.ts";
import { NEIGHBOURS } from "./words.ts";

/** The list from which a settlement was opened: `list` is its filter in the URL. */
export type Within = { list: string; filter: ReturnType<typeof filterOf> };

/** The previous and next settlement of that list. */
export function Neighbours({ txId, within: { list, filter } }: { txId: string; within: Within }) {
  const t = useTranslations(NEIGHBOURS);
  const trpc = useTRPC();
  const router = useRouter();
  const { data } = useQuery(trpc.settlements.neighbours.queryOptions({ ...filter, tx_id: txId }));
  const previous = data?.previous ?? null;
  const next = data?.next ?? null;
  const go = (to: string | null) => to !== null && router.push(`/console/settlements/${to}?list=${encodeURIComponent(list)}`);
  useShortcut("j", t.next, () => go(next), next !== null);
  useShortcut("k", t.previous, () => go(previous), previous !== null);
  return (
    <span className="neighbours">
      <IconButton label={t.previousWithKey} icon={ChevronLeft} look="plain" disabled={previous === null} onClick={() => go(previous)} />
      <IconButton label={t.nextWithKey} icon={ChevronRight} look="plain" disabled={next === null} onClick={() => go(next)} />
    </span>
  );
}
