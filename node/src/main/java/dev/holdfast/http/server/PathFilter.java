package dev.holdfast.http.server;

import com.fasterxml.jackson.core.filter.TokenFilter;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `filter_path` as a filter over a stream: patterns of names between dots, `*` within a name, `**`
/// for any number of names. It holds what remains of each pattern at the current depth.
final class PathFilter extends TokenFilter {
  private static final String ANY_DEPTH = "**";

  private final List<List<String>> patterns;
  private final boolean isInclusive;

  private PathFilter(List<List<String>> patterns, boolean isInclusive) {
    this.patterns = patterns;
    this.isInclusive = isInclusive;
  }

  /// Lets through what matches one of `paths`.
  static PathFilter including(List<String> paths) {
    return new PathFilter(paths.stream().map(PathFilter::split).toList(), true);
  }

  /// Lets through what matches none of `paths`.
  static PathFilter excluding(List<String> paths) {
    return new PathFilter(paths.stream().map(PathFilter::split).toList(), false);
  }

  @Override
  public @Nullable TokenFilter includeProperty(String name) {
    List<List<String>> rest = new ArrayList<>();
    for (List<String> pattern : patterns) {
      if (advance(pattern, name, rest)) {
        return isInclusive ? TokenFilter.INCLUDE_ALL : null;
      }
    }
    if (rest.isEmpty()) {
      return isInclusive ? null : TokenFilter.INCLUDE_ALL;
    }
    return new PathFilter(rest, isInclusive);
  }

  /// Adds to `rest` what remains of the pattern below `name`; true when nothing remains: a match.
  private static boolean advance(List<String> pattern, String name, List<List<String>> rest) {
    String first = pattern.getFirst();
    List<String> after = pattern.subList(1, pattern.size());
    if (first.equals(ANY_DEPTH)) {
      if (after.isEmpty()) {
        return true;
      }
      rest.add(pattern);
      return advance(after, name, rest);
    }
    if (!Wildcards.matches(first, name)) {
      return false;
    }
    if (after.isEmpty()) {
      return true;
    }
    rest.add(after);
    return false;
  }

  /// Names between dots; `\.` is a dot within a name.
  private static List<String> split(String path) {
    List<String> names = new ArrayList<>();
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '\\' && i + 1 < path.length() && path.charAt(i + 1) == '.') {
        name.append('.');
        i++;
      } else if (c == '.') {
        names.add(name.toString());
        name.setLength(0);
      } else {
        name.append(c);
      }
    }
    names.add(name.toString());
    return names;
  }

  @Override
  protected boolean _includeScalar() {
    return !isInclusive;
  }

  @Override
  public boolean includeEmptyObject(boolean contentsFiltered) {
    return !isInclusive && !contentsFiltered;
  }

  @Override
  public boolean includeEmptyArray(boolean contentsFiltered) {
    return !isInclusive && !contentsFiltered;
  }
}
