import NextLink from "next/link";
import type { ComponentProps } from "react";

/** A link within the console, without prefetching: each visible link would cost the service two requests. */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
