import { type ComponentProps, type ReactNode, useId } from "react";
import type { FieldPath, FieldValues, RegisterOptions, UseFormReturn } from "react-hook-form";

type FieldProps = { label: string; hint?: ReactNode; error?: string | undefined; hideLabel?: boolean | undefined };

/** A label above its control, its hint below, and an error in place of the hint. */
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

function useField({ label, hint, error, hideLabel }: FieldProps) {
  const id = useId();
  return {
    field: { label, hint, error, hideLabel, id },
    control: {
      id,
      "aria-invalid": error ? true : undefined,
      "aria-describedby": hint || error ? `${id}-note` : undefined,
      className: "input",
    },
  };
}

type Control<Tag extends "input" | "textarea" | "select"> = FieldProps & Omit<ComponentProps<Tag>, "id" | "className">;

/** The browser neither fills in nor corrects it, unless the caller says so: most fields take ids, amounts and addresses. */
export function TextField({ label, hint, error, hideLabel, ...rest }: Control<"input">) {
  const { field, control } = useField({ label, hint, error, hideLabel });
  return (
    <Field {...field}>
      <input type="text" autoComplete="off" spellCheck={false} {...rest} {...control} />
    </Field>
  );
}

/** The `https` address of a receiver. */
export function UrlField(props: Control<"input">) {
  return <TextField type="url" inputMode="url" maxLength={2_048} placeholder="https://" translate="no" {...props} />;
}

export function TextArea({ label, hint, error, hideLabel, ...rest }: Control<"textarea">) {
  const { field, control } = useField({ label, hint, error, hideLabel });
  return (
    <Field {...field}>
      <textarea rows={3} {...rest} {...control} />
    </Field>
  );
}

/** `origin`: where the label comes from, when it is not a translated text: a name, a code, or a text of the service. */
export type Choice = { value: string; label: string; origin?: "data" | "served" };

/** The browser's own select: good enough for short lists. */
export function Select({ label, hint, error, hideLabel, choices, ...rest }: Control<"select"> & { choices: readonly Choice[] }) {
  const { field, control } = useField({ label, hint, error, hideLabel });
  return (
    <Field {...field}>
      <select {...rest} {...control}>
        {choices.map(({ value, label: text, origin }) => (
          <option key={value} value={value} {...(origin === "data" && { translate: "no" })} {...(origin === "served" && { lang: "en" })}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

type Form<Fields extends FieldValues> = Pick<UseFormReturn<Fields>, "register" | "getFieldState" | "formState">;

/** Binds a form's fields: each takes its value under its name, and shows its own error. */
export function boundTo<Fields extends FieldValues>({ register, getFieldState, formState }: Form<Fields>) {
  return <Name extends FieldPath<Fields>>(name: Name, rules?: RegisterOptions<Fields, Name>) => ({
    ...register(name, rules),
    error: getFieldState(name, formState).error?.message,
  });
}
