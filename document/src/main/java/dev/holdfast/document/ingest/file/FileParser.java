package dev.holdfast.document.ingest.file;

import org.jspecify.annotations.Nullable;

/// Takes text and properties out of files. Any thread may ask; it waits.
@FunctionalInterface
public interface FileParser {
  /// @param base64 the file
  /// @param name of the file, which says something of its format; null for none
  /// @param charsMax the most of its text; -1 for all
  /// @throws dev.holdfast.world.Refusal `illegal_argument_exception` for what is not base64 or too
  ///   large; `tika_exception` or `encrypted_document_exception` for a file that cannot be read;
  ///   `es_rejected_execution_exception` or `circuit_breaking_exception` (429) where there is no
  ///   room now
  ParsedFile parse(String base64, @Nullable String name, int charsMax);
}
