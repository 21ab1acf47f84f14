import { crc32, deflateRawSync } from "node:zlib";

type Entry = { name: string; content: Buffer };

/** 1980-01-01, the earliest day of the format: the same files make the same archive. */
const DAY = 0x0021;
const VERSION = 20;
const UTF8 = 0x0800;
const DEFLATED = 8;
const REGULAR_FILE = 0o100644;

/** A zip archive of these files, whose names are paths with slashes. */
export function zipOf(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const packed = deflateRawSync(content, { level: 9 });
    const path = Buffer.from(name, "utf8");
    const common = commonOf(content, packed, path);
    const local = Buffer.concat([numbers([0x04034b50, 4]), common, path, packed]);
    const head = numbers([0x02014b50, 4], [(3 << 8) | VERSION, 2]);
    const tail = numbers([0, 2], [0, 2], [0, 2], [REGULAR_FILE * 2 ** 16, 4], [offset, 4]);
    directory.push(Buffer.concat([head, common, tail, path]));
    files.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const count = entries.length;
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [listed.length, 4], [offset, 4], [0, 2]);
  return Buffer.concat([...files, listed, end]);
}

/** What a file's own head and its line in the directory both say. */
function commonOf(content: Buffer, packed: Buffer, path: Buffer): Buffer {
  return numbers(
    [VERSION, 2],
    [UTF8, 2],
    [DEFLATED, 2],
    [0, 2],
    [DAY, 2],
    [crc32(content), 4],
    [packed.length, 4],
    [content.length, 4],
    [path.length, 2],
    [0, 2],
  );
}

/** Numbers with their widths in bytes, the lowest byte first. */
function numbers(...given: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  return Buffer.concat(
    given.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}
