import type { ReactNode } from "react";

export type KeyValue = { key: string; value: ReactNode };

/** Names and their values, in two columns where there is room. What has no value is left out. */
export function KeyValues({ items }: { items: readonly (KeyValue | null | false)[] }) {
  return (
    <dl className="key-values">
      {items.map(
        (item) =>
          item && (
            <div key={item.key} className="key-value">
              <dt>{item.key}</dt>
              <dd>{item.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
