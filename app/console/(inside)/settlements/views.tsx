import { useQuery } from "@tanstack/react-query";
import { Bookmark } from "lucide-react";
import { Fragment, useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../_components/controls/menu.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { isSameView, type ListParams, paramsOfView, SETTLEMENTS, type SetParams, viewParamsOf } from "./search-params.ts";
import { type SavedView, shippedViews, type View } from "./shipped-views.ts";
import { SHIPPED_VIEWS, VIEWS } from "./words.ts";

const ViewDialog = lazyComponent(() => import("./view-dialog.tsx").then(({ ViewDialog: Loaded }) => Loaded));

type ViewsProps = { params: ListParams; set: SetParams; isOperator: boolean };
type Doing = { mutation: "keep" } | { mutation: "change" | "delete"; view: SavedView };

export function useViews(isOperator: boolean): readonly View[] {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.savedViews.list.queryOptions());
  return [...shippedViews(useTranslations(SHIPPED_VIEWS)).filter(({ operatorOnly }) => isOperator || !operatorOnly), ...(data ?? [])];
}

/** Saved views: common ones, the user's own, and shared ones. */
export function Views({ params, set, isOperator }: ViewsProps) {
  const t = useTranslations(VIEWS);
  const views = useViews(isOperator);
  const [doing, setDoing] = useState<Doing | null>(null);
  const chosen = views.find(({ id }) => id === params.saved);
  const choose = (view: View) => set({ ...SETTLEMENTS.noFilter, ...paramsOfView(view.params), saved: view.id });
  const groups = [
    { title: t.forEveryone, views: views.filter((view) => !("own" in view)) },
    { title: t.yours, views: views.filter((view) => "own" in view && view.own) },
    { title: t.sharedByColleagues, views: views.filter((view) => "own" in view && !view.own) },
  ].filter(({ views: some }) => some.length > 0);
  return (
    <>
      <Menu align="start" trigger={<Button icon={Bookmark}>{chosen?.name ?? t.views}</Button>}>
        {groups.map(({ title, views: some }) => (
          <Fragment key={title}>
            <MenuLabel>{title}</MenuLabel>
            {some.map((view) => (
              <MenuItem key={view.id} onSelect={() => choose(view)}>
                <span className="short">{view.name}</span>
                {"owner" in view && view.shared && <span className="menu-aside">{view.own ? t.shared : view.owner}</span>}
              </MenuItem>
            ))}
          </Fragment>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => setDoing({ mutation: "keep" })}>{t.saveAs}</MenuItem>
      </Menu>
      {doing && <ViewDialog {...doing} params={viewParamsOf(params)} onClose={() => setDoing(null)} onKept={(id) => set({ saved: id })} />}
    </>
  );
}

/** The view that the list started from, the changes since, and what to do with them. */
export function ViewBar({ params, set, isOperator }: ViewsProps) {
  const t = useTranslations(VIEWS);
  const views = useViews(isOperator);
  const [doing, setDoing] = useState<Doing | null>(null);
  const view = views.find(({ id }) => id === params.saved);
  if (view === undefined || params.q !== null) return null;
  const now = viewParamsOf(params);
  const modified = !isSameView(view.params, now);
  const own = "own" in view && view.own ? view : null;
  const permalink = () => `${window.location.origin}/console/settlements?${new URLSearchParams({ ...now, saved: view.id })}`;
  return (
    <section className="view-bar" aria-label={t.view}>
      <strong className="short">{view.name}</strong>
      {modified && <span className="muted">{t.viewModified}</span>}
      {modified && (
        <Button onClick={() => setDoing(own ? { mutation: "change", view: { ...own, params: now } } : { mutation: "keep" })}>
          {t.save}
        </Button>
      )}
      {modified && <Button onClick={() => set(paramsOfView(view.params))}>{t.reset}</Button>}
      {own && !modified && (
        <Button look="quiet" onClick={() => setDoing({ mutation: "change", view: own })}>
          {t.renameOrShare}
        </Button>
      )}
      {own && (
        <Button look="quiet" onClick={() => setDoing({ mutation: "delete", view: own })}>
          {t.delete}
        </Button>
      )}
      <CopyButton text={permalink} label={t.copyLink} />
      {doing && (
        <ViewDialog {...doing} params={now} onClose={() => setDoing(null)} onKept={(id) => set({ saved: id }, { history: "replace" })} />
      )}
    </section>
  );
}
