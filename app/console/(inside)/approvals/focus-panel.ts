/** A narrow page shows either the list or the panel. */
export function isNarrow(): boolean {
  return window.matchMedia("(max-width: 820px)").matches;
}

/** Focuses the panel's heading. On a narrow page it also comes to the top, so that all of what is decided on is in view. */
export function focusPanel(): void {
  const heading = document.getElementById("review-heading");
  heading?.focus({ preventScroll: isNarrow() });
  if (isNarrow()) heading?.scrollIntoView({ block: "start" });
}
