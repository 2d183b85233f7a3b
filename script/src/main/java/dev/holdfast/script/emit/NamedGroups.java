package dev.holdfast.script.emit;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A pattern that takes texts apart: `grok('…')`, `dissect('…')`.
public interface NamedGroups {
  /// The parts of a text by name; null when it does not fit.
  @Nullable Map<String, Object> extract(@Nullable String text);
}
