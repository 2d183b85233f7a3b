package dev.holdfast.document.ingest.file;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a parser found in a file.
///
/// @param text at most as long as was asked for; as the parser wrote it, with space around
/// @param properties without `CONTENT`; `CONTENT_LENGTH` only where the file says it
public record ParsedFile(String text, SortedMap<FileProperty, String> properties) {
  public ParsedFile {
    properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
  }

  /// A file without any byte.
  public static ParsedFile empty() {
    return new ParsedFile("", new TreeMap<>());
  }
}
