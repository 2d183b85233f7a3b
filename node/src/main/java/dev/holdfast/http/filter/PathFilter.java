package dev.holdfast.http.filter;

import com.fasterxml.jackson.core.filter.TokenFilter;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `filter_path` as a filter over a stream: patterns of names between dots, `*` within a name, `**`
/// for any number of names.
///
/// All patterns are one automaton whose states are the places of their names; a filter holds the
/// states that the current depth has reached. However many ways lead to a state, it is held once,
/// so a name costs as much as there are names in the patterns, at most.
public final class PathFilter extends TokenFilter {
  private static final String ANY_DEPTH = "**";

  private final Patterns patterns;
  private final BitSet reached;

  private PathFilter(Patterns patterns, BitSet reached) {
    this.patterns = patterns;
    this.reached = reached;
  }

  /// The names of all patterns, one after the other.
  ///
  /// @param ends the places of last names
  private record Patterns(List<String> names, BitSet ends, boolean isInclusive) {
    /// Notes that the name at this place may come next: after any depth, the one behind, too.
    void reach(int place, BitSet into) {
      into.set(place);
      if (names.get(place).equals(ANY_DEPTH) && !ends.get(place)) {
        into.set(place + 1);
      }
    }
  }

  /// Lets through what matches one of `paths`.
  public static PathFilter including(List<String> paths) {
    return of(paths, true);
  }

  /// Lets through what matches none of `paths`.
  public static PathFilter excluding(List<String> paths) {
    return of(paths, false);
  }

  private static PathFilter of(List<String> paths, boolean isInclusive) {
    Patterns patterns = new Patterns(new ArrayList<>(), new BitSet(), isInclusive);
    BitSet first = new BitSet();
    for (List<String> pattern :
        new LinkedHashSet<>(paths.stream().map(PathFilter::split).toList())) {
      int begin = patterns.names.size();
      patterns.names.addAll(pattern);
      patterns.ends.set(patterns.names.size() - 1);
      patterns.reach(begin, first);
    }
    return new PathFilter(patterns, first);
  }

  @Override
  public @Nullable TokenFilter includeProperty(String name) {
    StopSignal.pollForCancelling(); // thousands of patterns for each name of a large answer
    BitSet next = new BitSet();
    for (int place = reached.nextSetBit(0); place >= 0; place = reached.nextSetBit(place + 1)) {
      String wanted = patterns.names.get(place);
      boolean isAnyDepth = wanted.equals(ANY_DEPTH);
      if (isAnyDepth || Wildcards.matches(wanted, name)) {
        if (patterns.ends.get(place)) {
          return patterns.isInclusive ? TokenFilter.INCLUDE_ALL : null;
        }
        patterns.reach(isAnyDepth ? place : place + 1, next);
      }
    }
    if (next.isEmpty()) {
      return patterns.isInclusive ? null : TokenFilter.INCLUDE_ALL;
    }
    return next.equals(reached) ? this : new PathFilter(patterns, next);
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
        add(name.toString(), names);
        name.setLength(0);
      } else {
        name.append(c);
      }
    }
    add(name.toString(), names);
    return names;
  }

  /// Any depth twice is any depth.
  private static void add(String name, List<String> names) {
    if (!name.equals(ANY_DEPTH) || names.isEmpty() || !names.getLast().equals(ANY_DEPTH)) {
      names.add(name);
    }
  }

  @Override
  protected boolean _includeScalar() {
    return !patterns.isInclusive;
  }

  @Override
  public boolean includeEmptyObject(boolean contentsFiltered) {
    return !patterns.isInclusive && !contentsFiltered;
  }

  @Override
  public boolean includeEmptyArray(boolean contentsFiltered) {
    return !patterns.isInclusive && !contentsFiltered;
  }
}
