/** Where a row has nothing to say. */
export function None() {
  return <span className="none">–</span>;
}

/** A text that may be long: whole for those who point. */
export function Short({ text, title = text }: { text: string | null; title?: string | null }) {
  if (text === null) return <None />;
  return (
    <span className="short" title={title ?? text}>
      {text}
    </span>
  );
}
