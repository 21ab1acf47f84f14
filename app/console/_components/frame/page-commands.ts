import { type Command, OFFERED } from "./commands.ts";

/** Buttons of rows that are not the current one, headings that sort, and rows themselves. */
const NOT_OFFERED = "tr:not([data-active]) td, th, .queue-item, [role=tablist], .pagination, .palette";

/**
 * The commands of the page at this moment: what it offers for its current object, then each of its buttons under its own name. So whatever
 * can be pressed can be found, with the name of the part or object it belongs to. A button that commits a form is not among them.
 */
export function readCommands(): Command[] {
  const buttons = document.querySelectorAll<HTMLElement>("#main :is(button:not(:disabled, [type=submit]), a.button)");
  const found = [...OFFERED];
  for (const button of buttons) {
    const label = nameOf(button);
    const about = aboutOf(button);
    const isOffered = label !== "" && button.closest(NOT_OFFERED) === null && button.getClientRects().length > 0;
    if (isOffered && !found.some((each) => each.label === label && each.about === about))
      found.push({ label, about, look: button.dataset.look, run: () => button.click() });
  }
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** What decides or changes something comes before what only copies or leads elsewhere. */
const LOOKS = ["primary", "danger", "plain"];
function rankOf({ look }: Command): number {
  const rank = LOOKS.indexOf(look ?? "primary");
  return rank < 0 ? LOOKS.length : rank;
}

function nameOf(element: HTMLElement): string {
  return (element.ariaLabel ?? element.textContent).replace(/\s+/g, " ").trim();
}

function aboutOf(element: HTMLElement): string {
  const part = element.closest<HTMLElement>("[data-about], article[aria-label], section[aria-label], form[aria-label]");
  return part === null ? "" : (part.dataset.about ?? part.ariaLabel ?? "");
}
