package dev.holdfast.query.highlight;

import dev.holdfast.world.WorkMemory;
import java.util.List;

/// Asks for the memory of the tags around the matches of one text: a request may make them as long
/// as a body, and a text may have a match in each of its words.
final class TagMemory {
  /// What the tags of a text may take unasked.
  private static final int FREE_CHARACTERS = 256 << 10;

  /// A buffer that grows, and the text that it becomes.
  private static final int CHARACTER_BYTES = 4;

  private final long length;
  private long left = FREE_CHARACTERS;

  TagMemory(HighlightOptions options) {
    length = longest(options.preTags()) + longest(options.postTags());
  }

  private static long longest(List<String> tags) {
    return tags.stream().mapToInt(String::length).max().orElse(0);
  }

  /// Notes matches before their tags are written.
  ///
  /// @throws dev.holdfast.world.Refusal `circuit_breaking_exception` (429)
  void add(int matches) {
    left -= matches * length;
    if (left < 0) {
      WorkMemory.add(-left * CHARACTER_BYTES);
      left = 0;
    }
  }
}
