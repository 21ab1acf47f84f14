/** Structured fields (RFC 8941), as far as HTTP Message Signatures use them: dictionaries of inner lists, and of bytes. */

export type Bare = string | number | boolean | { token: string } | { bytes: string };
export type Parameters = readonly (readonly [name: string, value: Bare])[];
export type Item = { value: Bare; params: Parameters };
export type InnerList = { items: readonly Item[]; params: Parameters };

/** Null: malformed. A repeated name replaces the earlier one, by the RFC. */
export function parseDictionary(text: string): Map<string, InnerList | Item> | null {
  const reader = new Reader(text);
  try {
    return reader.dictionary();
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

export function isInnerList(member: InnerList | Item): member is InnerList {
  return "items" in member;
}

/** In the one way that there is. */
export function writeInnerList({ items, params }: InnerList): string {
  return `(${items.map(writeItem).join(" ")})${writeParameters(params)}`;
}

export function writeItem({ value, params }: Item): string {
  return `${writeBare(value)}${writeParameters(params)}`;
}

function writeParameters(params: Parameters): string {
  return params.map(([name, value]) => (value === true ? `;${name}` : `;${name}=${writeBare(value)}`)).join("");
}

function writeBare(value: Bare): string {
  if (typeof value === "string") return `"${value.replace(/[\\"]/g, "\\$&")}"`;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "?1" : "?0";
  return "token" in value ? value.token : `:${value.bytes}:`;
}

class Malformed extends Error {}

const TOKEN = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y;
const KEY = /[a-z*][a-z0-9_.*-]*/y;
const STRING = /"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/y;
const INTEGER = /-?\d{1,15}(?![\d.])/y;
const BYTES = /:((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?):/y;
const BOOLEAN = /\?([01])/y;

class Reader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  dictionary(): Map<string, InnerList | Item> {
    const read = new Map<string, InnerList | Item>();
    this.#skip(/ */y);
    while (this.#at < this.#text.length) {
      const [name] = this.#take(KEY);
      const isThere = this.#skip(/=/y);
      read.set(name, isThere ? this.#member() : { value: true, params: this.#parameters() });
      this.#skip(/[ \t]*/y);
      if (this.#at === this.#text.length) return read;
      this.#take(/,/y);
      this.#skip(/[ \t]*/y);
      if (this.#at === this.#text.length) throw new Malformed();
    }
    return read;
  }

  #member(): InnerList | Item {
    return this.#text[this.#at] === "(" ? this.#innerList() : this.#item();
  }

  #innerList(): InnerList {
    this.#take(/\(/y);
    const items: Item[] = [];
    for (;;) {
      this.#skip(/ */y);
      if (this.#skip(/\)/y)) return { items, params: this.#parameters() };
      items.push(this.#item());
      if (!/^[ )]/.test(this.#text.slice(this.#at, this.#at + 1))) throw new Malformed();
    }
  }

  #item(): Item {
    return { value: this.#bare(), params: this.#parameters() };
  }

  #parameters(): Parameters {
    const read = new Map<string, Bare>();
    while (this.#skip(/;/y)) {
      this.#skip(/ */y);
      const [name] = this.#take(KEY);
      const value = this.#skip(/=/y) ? this.#bare() : true;
      read.set(name, value);
    }
    return [...read];
  }

  #bare(): Bare {
    switch (this.#text[this.#at]) {
      case '"':
        return (this.#take(STRING)[1] ?? "").replace(/\\(.)/g, "$1");
      case ":":
        return { bytes: this.#take(BYTES)[1] ?? "" };
      case "?":
        return this.#take(BOOLEAN)[1] === "1";
      default:
        return /[\d-]/.test(this.#text[this.#at] ?? "") ? Number(this.#take(INTEGER)[0]) : { token: this.#take(TOKEN)[0] };
    }
  }

  #take(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) throw new Malformed();
    this.#at = pattern.lastIndex;
    return found;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found !== null && found[0] !== "";
  }
}
