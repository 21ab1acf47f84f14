/** How a command ends; told in the help and in the documentation. */
export const EXIT = {
  done: 0,
  /** The service said no, or it came to another end than was asked for. */
  refused: 1,
  /** It was not understood, or nobody is logged in. Nothing was sent. */
  usage: 2,
  /** No answer came: whether anything happened is not known. The same command again is safe. */
  unanswered: 3,
  /** What was examined has a fault, and it was named. */
  found: 4,
  /** Ctrl-C before it was done; what goes on until then ends well by it. */
  interrupted: 130,
} as const;

/** What the person at the terminal can mend: shown as its one sentence. */
export class Trouble extends Error {
  override readonly name = "Trouble";
  readonly exit: number;

  constructor(message: string, exit: number = EXIT.usage) {
    super(message);
    this.exit = exit;
  }
}
