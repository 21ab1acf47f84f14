export type Choice<Outcome extends string> = {
  outcome: Outcome;
  title: string;
  explained: string;
  /** Why it cannot be chosen right now. */
  closed?: string;
};

type ChoicesProps<Outcome extends string> = {
  legend: string;
  choices: readonly Choice<Outcome>[];
  chosen: Outcome | null;
  onChoose: (outcome: Outcome) => void;
};

/** One of a few options, each with its consequence. */
export function Choices<Outcome extends string>({ legend, choices, chosen, onChoose }: ChoicesProps<Outcome>) {
  return (
    <fieldset className="reasons">
      <legend className="field-label">{legend}</legend>
      {choices.map(({ outcome, title, explained, closed }) => (
        <label key={outcome} className="check choice">
          <input
            type="radio"
            name="outcome"
            checked={chosen === outcome}
            disabled={closed !== undefined}
            onChange={() => onChoose(outcome)}
          />
          <span>
            {title}
            <span className="field-hint choice-hint">{closed ?? explained}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
