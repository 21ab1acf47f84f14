"use client";

import { type ComponentProps, type ReactNode, useId } from "react";

type FieldProps = { label: string; hint?: ReactNode; error?: string | undefined; hideLabel?: boolean };

/** A label above its control, what it wants below, and what is wrong with it in place of that. */
function Field({ label, hint, error, hideLabel, id, children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label className={hideLabel ? "sr-only" : "field-label"} htmlFor={id}>
        {label}
      </label>
      {children}
      {hint && !error && (
        <p className="field-hint" id={`${id}-note`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-note`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function describe({ hint, error }: FieldProps, id: string) {
  return { id, "aria-invalid": error ? true : undefined, "aria-describedby": hint || error ? `${id}-note` : undefined };
}

export function TextField({ label, hint, error, hideLabel, ...rest }: FieldProps & Omit<ComponentProps<"input">, "id" | "className">) {
  const id = useId();
  const field = { label, hint, ...(error && { error }), ...(hideLabel && { hideLabel }) };
  return (
    <Field {...field} id={id}>
      <input type="text" {...rest} {...describe(field, id)} className="input" />
    </Field>
  );
}

export function TextArea({ label, hint, error, hideLabel, ...rest }: FieldProps & Omit<ComponentProps<"textarea">, "id" | "className">) {
  const id = useId();
  const field = { label, hint, ...(error && { error }), ...(hideLabel && { hideLabel }) };
  return (
    <Field {...field} id={id}>
      <textarea rows={3} {...rest} {...describe(field, id)} className="input" />
    </Field>
  );
}

export type Choice = { value: string; label: string };

/** The browser's own: short lists need no better. */
export function Select({
  label,
  hint,
  error,
  hideLabel,
  choices,
  ...rest
}: FieldProps & { choices: readonly Choice[] } & Omit<ComponentProps<"select">, "id" | "className">) {
  const id = useId();
  const field = { label, hint, ...(error && { error }), ...(hideLabel && { hideLabel }) };
  return (
    <Field {...field} id={id}>
      <select {...rest} {...describe(field, id)} className="input">
        {choices.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
