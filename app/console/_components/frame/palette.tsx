import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { CornerDownRight, Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef, useState } from "react";
import { shortened } from "#app/console/_components/controls/values.tsx";
import { VIEW_WORDS } from "#app/console/_components/controls/words.ts";
import type { UserRole } from "#domain/access.ts";
import { viewOf } from "#domain/settlement-view.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { navFor } from "./nav.ts";
import { readCommands } from "./page-commands.ts";
import { type PaletteItem, usePaletteActions } from "./palette-actions.ts";
import { useObjects } from "./palette-objects.ts";
import { PALETTE } from "./palette-words.ts";
import { readRecent } from "./recent-pages.ts";
import { NAV_WORDS } from "./words.ts";

type PaletteGroup = { label: string; items: PaletteItem[] };
type PaletteProps = {
  role: UserRole;
  /** The text typed so far, including before the palette was loaded. */
  text: string;
  onText: (text: string) => void;
  within: RefObject<HTMLDivElement | null>;
  onClose: () => void;
};

const LEAST = 3;
const PAUSE_MS = 180;
const MOST = 6;
const MOST_RECENT = 5;

/** Leads from anywhere to anything: sections, settlements by any copied text, settings. Arrow keys choose, Enter opens. */
export function Palette({ role, text, onText, within, onClose }: PaletteProps) {
  const t = useTranslations(PALETTE);
  const groups = useGroups(role, text.trim());
  // A command of the page moves the focus by itself: the palette then gives it back to nothing.
  const isOfPage = useRef(false);
  const choose = (item: PaletteItem) => {
    isOfPage.current = item.isOfPage === true;
    onClose();
    if (isOfPage.current) requestAnimationFrame(item.run);
    else item.run();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Viewport className="dialog-viewport" data-shape="palette">
          <Dialog.Popup ref={within} className="dialog palette" aria-label={t.title} finalFocus={() => !isOfPage.current}>
            <Autocomplete.Root
              inline
              open
              mode="none"
              items={groups}
              value={text}
              onValueChange={(value, { reason }) => reason !== "item-press" && onText(value)}
              autoHighlight="always"
              keepHighlight
              itemToStringValue={(item: PaletteItem) => item.label}
            >
              <div className="palette-input">
                <Search aria-hidden size={16} />
                <Autocomplete.Input className="input" aria-label={t.label} placeholder={t.placeholder} spellCheck={false} maxLength={512} />
              </div>
              <Autocomplete.Empty className="palette-empty">{t.noMatch}</Autocomplete.Empty>
              <Autocomplete.List className="palette-list">
                {(group: PaletteGroup) => (
                  <Autocomplete.Group key={group.label} items={group.items}>
                    <Autocomplete.GroupLabel className="menu-label">{group.label}</Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(item: PaletteItem) => (
                        <Autocomplete.Item key={item.id} value={item} className="menu-item" onClick={() => choose(item)}>
                          <span className="menu-icon">{item.icon && <item.icon aria-hidden size={16} />}</span>
                          <span className="palette-label" {...(item.isData && { translate: "no" })}>
                            {item.label}
                          </span>
                          {item.aside && (
                            <span className="menu-aside" data-key={item.isKey}>
                              {item.aside}
                            </span>
                          )}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useGroups(role: UserRole, text: string): PaletteGroup[] {
  const t = useTranslations(PALETTE);
  const router = useRouter();
  const actions = usePaletteActions();
  const settlements = useFound(text);
  const go = (href: string) => () => router.push(href);
  const pages = navFor(role, useTranslations(NAV_WORDS)).map(({ href, label, icon, key }) => ({
    id: href,
    label,
    icon,
    aside: `g ${key}`,
    isKey: true,
    run: go(href),
  }));
  const objects = useObjects(role, text);
  const [commands] = useState(itemsOfPage);
  const isObject = ({ href }: { href: string }) => !pages.some((page) => page.id === href);
  const recent =
    text === ""
      ? readRecent()
          .filter(isObject)
          .slice(0, MOST_RECENT)
          .map(({ href, title }) => ({ id: `recent ${href}`, label: title, isData: true, run: go(href) }))
      : [];
  const ofPage = commands.filter(({ label, aside = "" }) => fits(`${label} ${aside}`, text));
  return [
    { label: t.recent, items: recent },
    // Before anything that comes late, so that Enter chooses what it was about to choose.
    { label: t.ofPage, items: text === "" ? ofPage.slice(0, MOST) : ofPage },
    { label: t.settlements, items: settlements.found },
    { label: t.objects, items: objects },
    { label: t.goTo, items: pages.filter(({ label }) => fits(label, text)) },
    { label: t.actions, items: actions.filter(({ label }) => fits(label, text)) },
    // Last, so that late results do not replace the entry that Enter was about to choose.
    { label: t.search, items: settlements.all },
  ].filter(({ items }) => items.length > 0);
}

/** What can be done on the page behind the palette, by the names of its buttons. */
function itemsOfPage(): PaletteItem[] {
  return readCommands().map(({ label, about, run }) => ({
    id: `page ${label} ${about}`,
    label,
    icon: CornerDownRight,
    isData: true,
    isOfPage: true,
    ...(about !== "" && { aside: about }),
    run,
  }));
}

/** Settlements that match the text, by the list's own search, as soon as typing pauses. */
function useFound(text: string): { found: PaletteItem[]; all: PaletteItem[] } {
  const [t, views] = [useTranslations(PALETTE), useTranslations(VIEW_WORDS)];
  const trpc = useTRPC();
  const router = useRouter();
  const wanted = usePaused(text);
  const enabled = wanted.length >= LEAST;
  const { data } = useQuery(trpc.settlements.search.queryOptions({ text: wanted.slice(0, 512) }, { enabled, staleTime: 5_000 }));
  if (!enabled || wanted !== text) return { found: [], all: [] };
  const found = (data?.data ?? []).slice(0, MOST).map(({ settlement, amounts }) => {
    const { tx_id: txId, status, approval_state: approvalState, expires_at: expiresAt } = settlement;
    const state = views[viewOf({ status, approvalState, expiresAtMs: new Date(expiresAt).getTime() }, Date.now())];
    return {
      id: txId,
      label: `${shortened(txId)} · ${settlement.external_merchant_id}`,
      isData: true,
      aside: `${amounts.net} ${settlement.destination_currency} · ${state}`,
      run: () => router.push(`/console/settlements/${txId}?found=${data?.kind ?? ""}`),
    };
  });
  const all = {
    id: "all",
    label: t.searchList(text),
    icon: Search,
    run: () => router.push(`/console/settlements?${new URLSearchParams({ q: text })}`),
  };
  return { found, all: [all] };
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** Every typed word must begin a word of the label. */
function fits(label: string, text: string): boolean {
  const words = label.toLowerCase().split(/[^\p{Letter}\p{Number}]+/u);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((wanted) => words.some((word) => word.startsWith(wanted)));
}
