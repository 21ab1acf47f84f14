/** The exit codes, in the help and in the documentation. */
export const EXIT = {
  done: 0,
  /** The service refused, or the outcome was not the one asked for. */
  refused: 1,
  /** The command was wrong, or nobody is logged in. Nothing was sent. */
  usage: 2,
  /** No answer came, so it is unknown whether anything happened. Repeating the command is safe. */
  unanswered: 3,
  /** A check failed. The output names the fault. */
  found: 4,
  /** Interrupted by Ctrl-C before it was done; a command that runs until then exits normally. */
  interrupted: 130,
} as const;

/** An error that the person at the terminal can fix: shown as one sentence. */
export class Trouble extends Error {
  override readonly name = "Trouble";
  readonly exit: number;

  constructor(message: string, exit: number = EXIT.usage) {
    super(message);
    this.exit = exit;
  }
}
