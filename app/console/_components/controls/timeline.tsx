import type { ReactNode } from "react";
import { Data, Trans, useTranslations } from "../../_words/words.ts";
import { Time } from "./values.tsx";
import { TIMELINE } from "./words.ts";

export type TimelineNode = {
  id: string;
  title: string;
  /** null: it has not happened. */
  at: string | null;
  by?: string | null;
  tone?: string;
  children?: ReactNode;
};

/** Past events in order, each with its actor and the time since the one before; future ones in grey. */
export function Timeline({ nodes, label }: { nodes: readonly TimelineNode[]; label: string }) {
  const t = useTranslations(TIMELINE);
  return (
    <ol className="timeline" aria-label={label}>
      {nodes.map((node, index) => {
        const before = nodes[index - 1]?.at;
        return (
          <li key={node.id} className="timeline-node" data-tone={node.tone} data-future={node.at === null || undefined}>
            <p className="timeline-title">
              {node.title}
              {node.by && (
                <span className="timeline-by">
                  {" "}
                  <Trans sentence={t.by} who={<Data>{node.by}</Data>} />
                </span>
              )}
            </p>
            {node.at ? (
              <p className="timeline-at">
                <Time at={node.at} form="absolute" />
                {before && (
                  <span className="timeline-since">+{t.format.span(new Date(node.at).getTime() - new Date(before).getTime())}</span>
                )}
              </p>
            ) : (
              <p className="timeline-at">{t.notYet}</p>
            )}
            {node.children && <div className="timeline-more">{node.children}</div>}
          </li>
        );
      })}
    </ol>
  );
}

/** The events of the page's object, next to its facts. */
export function HistoryAside({ nodes }: { nodes: readonly TimelineNode[] }) {
  const t = useTranslations(TIMELINE);
  return (
    <aside className="detail-aside" aria-label={t.history}>
      <h2>{t.history}</h2>
      <Timeline label={t.history} nodes={nodes} />
    </aside>
  );
}
