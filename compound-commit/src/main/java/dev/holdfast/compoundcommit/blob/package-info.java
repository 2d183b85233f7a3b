/// The bytes of a blob behind its files: hot region, checksums, directory, trailer
/// (`docs/format-compound-commit.md`). One suffix GET reads all of them as a rule; each part has
/// its own checksum and is read once more when that does not match. Pure functions of bytes, and a
/// check of whole blobs.
@NullMarked
package dev.holdfast.compoundcommit.blob;

import org.jspecify.annotations.NullMarked;
