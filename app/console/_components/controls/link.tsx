import NextLink from "next/link";
import type { ComponentProps } from "react";

/** A link within the console. Its page is fetched once it is opened: ahead of that, each link in view would cost the service two requests. */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
