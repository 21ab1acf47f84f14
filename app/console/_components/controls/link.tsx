"use client";

import { useRouter } from "next/navigation";
import type { ComponentProps, MouseEvent } from "react";

/**
 * A link within the console. It loads its page on a press and not before: in advance each visible link would cost the service two requests.
 * Next's own link is 4 KB on every page, nearly all of it for loading in advance.
 */
export function Link({ href, onClick, ...rest }: ComponentProps<"a"> & { href: string }) {
  const router = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || opensElsewhere(event)) return;
    event.preventDefault();
    router.push(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}

/** In another tab or window, or as a file: the browser does that. */
function opensElsewhere({ currentTarget, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLAnchorElement>): boolean {
  const { target } = currentTarget;
  return altKey || ctrlKey || metaKey || shiftKey || (target !== "" && target !== "_self") || currentTarget.hasAttribute("download");
}
