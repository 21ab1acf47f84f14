import { useQuery } from "@tanstack/react-query";
import { Building2, Contact, Layers, Vault, Webhook } from "lucide-react";
import { useRouter } from "next/navigation";
import { shortened } from "#app/console/_components/controls/values.tsx";
import type { UserRole } from "#domain/access.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { PaletteItem } from "./palette-actions.ts";
import { PALETTE_OBJECTS } from "./palette-words.ts";

const LEAST = 2;
/** Of each kind. */
const MOST = 3;
const STALE_MS = 15_000;

/** Partners, members, batches, treasury wallets and receivers whose name has the text, by the searches of their own lists. */
export function useObjects(role: UserRole, text: string): PaletteItem[] {
  const t = useTranslations(PALETTE_OBJECTS);
  const trpc = useTRPC();
  const router = useRouter();
  const search = text.slice(0, 128);
  const enabled = search.length >= LEAST;
  const isOperator = role !== "owner" && role !== "staff";
  const when = { enabled, staleTime: STALE_MS };
  const partners = useQuery(trpc.partners.list.queryOptions({ search }, { ...when, enabled: enabled && isOperator }));
  const members = useQuery(trpc.members.list.queryOptions({ search }, when));
  const batches = useQuery(trpc.batches.list.queryOptions({ search }, when));
  const board = useQuery(trpc.treasury.board.queryOptions(undefined, { ...when, enabled: enabled && isOperator }));
  const receivers = useQuery(trpc.callbacks.endpoints.queryOptions({}, when));
  if (!enabled) return [];
  const has = (value: string) => value.toLowerCase().includes(search.toLowerCase());
  const go = (href: string) => () => router.push(href);
  const item =
    (icon: PaletteItem["icon"], aside: string) =>
    (label: string, href: string): PaletteItem => {
      return { id: href, label, isData: true, aside, run: go(href), ...(icon && { icon }) };
    };
  const [partner, member, batch] = [item(Building2, t.partner), item(Contact, t.member), item(Layers, t.batch)];
  const [wallet, receiver] = [item(Vault, t.wallet), item(Webhook, t.receiver)];
  const wallets = (board.data?.chains ?? []).flatMap((chain) => chain.wallets.map(({ address }) => ({ address, chain: chain.name })));
  return [
    ...(partners.data?.data ?? []).slice(0, MOST).map(({ id, name }) => partner(name, `/console/partners/${id}`)),
    ...(members.data?.data ?? [])
      .slice(0, MOST)
      .map(({ member: { id, name, external_user_id } }) => member(name ?? external_user_id, `/console/members/${id}`)),
    ...(batches.data?.data ?? []).slice(0, MOST).map((each) => batch(each.external_batch_id, `/console/batches/${each.batch_id}`)),
    ...wallets
      .filter(({ address }) => has(address))
      .slice(0, MOST)
      .map(({ address, chain }) => wallet(`${shortened(address)} · ${chain}`, `/console/treasury#${address}`)),
    ...(receivers.data?.data ?? [])
      .filter(({ origin }) => has(origin))
      .slice(0, MOST)
      .map(({ origin }) => receiver(origin, `/console/callbacks?${new URLSearchParams({ tab: "all", origin })}`)),
  ];
}
