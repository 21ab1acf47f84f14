<?php

declare(strict_types=1);

namespace SettlementSdk;

/** A CursorStore in a file, for one reader. */
final readonly class FileCursor implements CursorStore
{
    public function __construct(private string $path)
    {
    }

    public function read(): ?string
    {
        if (!file_exists($this->path)) {
            return null;
        }
        $text = file_get_contents($this->path);
        return $text === false ? throw new SettlementException("$this->path cannot be read") : trim($text);
    }

    /** Replaces the file at once, so that a crash leaves the old cursor or the new one. */
    public function write(string $cursor): void
    {
        $draft = $this->path . '.' . bin2hex(random_bytes(6));
        $file = fopen($draft, 'x');
        if ($file === false || fwrite($file, "$cursor\n") === false || !fsync($file) || !fclose($file) || !rename($draft, $this->path)) {
            throw new SettlementException("$this->path cannot be written");
        }
    }
}
