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

/** A button with a label. While pending it keeps its place and width. */
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

/** An icon button: its label is its accessible name, and its tooltip. */
export function IconButton({ label, icon: Icon, look = "quiet", type = "button", ...rest }: IconButtonProps) {
  return (
    <button title={label} {...rest} type={type} aria-label={label} className="button icon-button" data-look={look}>
      <Icon aria-hidden size={16} />
    </button>
  );
}

/** A link that looks like a button. */
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
