package dev.holdfast.document.ingest.file;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What `attachment` writes of a file. The names of the members are theirs in lower case.
public enum FileProperty {
  CONTENT,
  TITLE,
  AUTHOR,
  KEYWORDS,
  DATE,
  CONTENT_TYPE,
  CONTENT_LENGTH,
  LANGUAGE,
  MODIFIED,
  FORMAT,
  IDENTIFIER,
  CONTRIBUTOR,
  COVERAGE,
  MODIFIER,
  CREATOR_TOOL,
  PUBLISHER,
  RELATION,
  RIGHTS,
  SOURCE,
  TYPE,
  DESCRIPTION,
  PRINT_DATE,
  METADATA_DATE,
  LATITUDE,
  LONGITUDE,
  ALTITUDE,
  RATING,
  COMMENTS;

  /// The member's name: `content_type`.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The one of a name, in whatever case; null for none.
  public static @Nullable FileProperty named(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    for (FileProperty property : values()) {
      if (property.name().equals(upper)) {
        return property;
      }
    }
    return null;
  }
}
