"use client";

import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode, Ref } from "react";
import { Link } from "./link.tsx";

type Look = "primary" | "plain" | "quiet" | "danger";

type ButtonProps = Omit<ComponentProps<"button">, "className"> & {
  look?: Look;
  icon?: LucideIcon;
  /** Work is in progress: the button keeps its width and ignores clicks. */
  pending?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

/** Says what it does. While pending it stays where and as wide as it is. */
export function Button({ look = "plain", icon: Icon, pending = false, children, type = "button", disabled, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className="button"
      data-look={look}
      data-pending={pending || undefined}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
    >
      {Icon && <Icon aria-hidden size={16} />}
      <span className="button-label">{children}</span>
      {pending && <span className="button-spinner" aria-hidden />}
    </button>
  );
}

type IconButtonProps = Omit<ComponentProps<"button">, "className" | "children"> & {
  label: string;
  icon: LucideIcon;
  look?: Look;
  ref?: Ref<HTMLButtonElement>;
};

/** A button of one sign: its label is its name, and its tooltip for those who point. */
export function IconButton({ label, icon: Icon, look = "quiet", type = "button", ...rest }: IconButtonProps) {
  return (
    <button title={label} {...rest} type={type} aria-label={label} className="button icon-button" data-look={look}>
      <Icon aria-hidden size={16} />
    </button>
  );
}

/** Looks like a button and leads somewhere. */
export function LinkButton({
  href,
  look = "plain",
  icon: Icon,
  children,
}: {
  href: string;
  look?: Look;
  icon?: LucideIcon;
  children: ReactNode;
}) {
  return (
    <Link href={href} className="button" data-look={look}>
      {Icon && <Icon aria-hidden size={16} />}
      <span className="button-label">{children}</span>
    </Link>
  );
}
