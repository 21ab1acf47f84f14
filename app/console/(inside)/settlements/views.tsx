import { useQuery } from "@tanstack/react-query";
import { Bookmark } from "lucide-react";
import { Fragment, useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../_components/controls/menu.tsx";
import { onDemand } from "../../_components/controls/on-demand.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import { isSameView, type ListParams, paramsOfView, SETTLEMENTS, type SetParams, viewParamsOf } from "./search-params.ts";
import { type SavedView, shippedViews, type View } from "./shipped-views.ts";
import { SHIPPED_VIEWS, VIEWS } from "./words.ts";

const ViewDialog = onDemand(() => import("./view-dialog.tsx").then(({ ViewDialog: Loaded }) => Loaded));

type ViewsProps = { params: ListParams; set: SetParams; isOperator: boolean };
type Doing = { deed: "keep" } | { deed: "change" | "delete"; view: SavedView };

export function useViews(isOperator: boolean): readonly View[] {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.savedViews.list.queryOptions());
  return [...shippedViews(useWords(SHIPPED_VIEWS)).filter(({ operatorOnly }) => isOperator || !operatorOnly), ...(data ?? [])];
}

/** Lists under a name: those that everybody has, one's own, and those that colleagues share. */
export function Views({ params, set, isOperator }: ViewsProps) {
  const says = useWords(VIEWS);
  const views = useViews(isOperator);
  const [doing, setDoing] = useState<Doing | null>(null);
  const chosen = views.find(({ id }) => id === params.saved);
  const choose = (view: View) => set({ ...SETTLEMENTS.noFilter, ...paramsOfView(view.params), saved: view.id });
  const groups = [
    { title: says.everybody, views: views.filter((view) => !("own" in view)) },
    { title: says.yours, views: views.filter((view) => "own" in view && view.own) },
    { title: says.sharedByColleagues, views: views.filter((view) => "own" in view && !view.own) },
  ].filter(({ views: some }) => some.length > 0);
  return (
    <>
      <Menu align="start" trigger={<Button icon={Bookmark}>{chosen?.name ?? says.views}</Button>}>
        {groups.map(({ title, views: some }) => (
          <Fragment key={title}>
            <MenuLabel>{title}</MenuLabel>
            {some.map((view) => (
              <MenuItem key={view.id} onSelect={() => choose(view)}>
                <span className="short">{view.name}</span>
                {"owner" in view && view.shared && <span className="menu-aside">{view.own ? says.shared : view.owner}</span>}
              </MenuItem>
            ))}
          </Fragment>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => setDoing({ deed: "keep" })}>{says.saveListAs}</MenuItem>
      </Menu>
      {doing && <ViewDialog {...doing} params={viewParamsOf(params)} onClose={() => setDoing(null)} onKept={(id) => set({ saved: id })} />}
    </>
  );
}

/** Which view the list began as, what is different from it by now, and what may be done about it. */
export function ViewBar({ params, set, isOperator }: ViewsProps) {
  const says = useWords(VIEWS);
  const views = useViews(isOperator);
  const [doing, setDoing] = useState<Doing | null>(null);
  const view = views.find(({ id }) => id === params.saved);
  if (view === undefined || params.q !== null) return null;
  const now = viewParamsOf(params);
  const modified = !isSameView(view.params, now);
  const own = "own" in view && view.own ? view : null;
  const permalink = () => `${window.location.origin}/console/settlements?${new URLSearchParams({ ...now, saved: view.id })}`;
  return (
    <section className="view-bar" aria-label={says.view}>
      <strong className="short">{view.name}</strong>
      {modified && <span className="muted">{says.viewModified}</span>}
      {modified && (
        <Button onClick={() => setDoing(own ? { deed: "change", view: { ...own, params: now } } : { deed: "keep" })}>{says.save}</Button>
      )}
      {modified && <Button onClick={() => set(paramsOfView(view.params))}>{says.reset}</Button>}
      {own && !modified && (
        <Button look="quiet" onClick={() => setDoing({ deed: "change", view: own })}>
          {says.renameOrShare}
        </Button>
      )}
      {own && (
        <Button look="quiet" onClick={() => setDoing({ deed: "delete", view: own })}>
          {says.deleteWord}
        </Button>
      )}
      <CopyButton text={permalink} label={says.copyLinkList} />
      {doing && (
        <ViewDialog {...doing} params={now} onClose={() => setDoing(null)} onKept={(id) => set({ saved: id }, { history: "replace" })} />
      )}
    </section>
  );
}
