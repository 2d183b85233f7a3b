package dev.holdfast.document.runtime;

import dev.holdfast.document.FieldType;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.document.ValuesKind;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.lucene.index.LeafReader;
import org.jspecify.annotations.Nullable;

/// The runtime fields of a search, and the columns that it has used.
final class RuntimeUse {
  /// What makes the values of a script those of one search: time, chance and scores.
  private static final Pattern CHANCE =
      Pattern.compile("random\\(|currentTimeMillis|nanoTime|_score");

  private final Mapping mapping;

  /// Those that have values.
  private final SortedMap<String, FieldType> types;

  private final RuntimeColumns columns;
  private final BooleanSupplier isCancelled;
  private volatile SegmentScores scores = SegmentScores.NONE;

  // Guarded by itself.
  private final Map<Place, RuntimeColumns.Held> used = new HashMap<>();

  /// How many readers of a field the search has opened in a segment. Guarded by `used`.
  private final Map<Place, Integer> readers = new HashMap<>();

  private record Place(LeafReader segment, String path) {}

  RuntimeUse(Mapping mapping, RuntimeColumns columns, BooleanSupplier isCancelled) {
    this.mapping = mapping;
    this.types = new TreeMap<>(mapping.runtime());
    types.values().removeIf(type -> type.values() == ValuesKind.NONE);
    this.columns = columns;
    this.isCancelled = isCancelled;
  }

  void scoreBy(SegmentScores given) {
    scores = given;
  }

  SegmentScores scores() {
    return scores;
  }

  Mapping mapping() {
    return mapping;
  }

  BooleanSupplier isCancelled() {
    return isCancelled;
  }

  SortedMap<String, FieldType> types() {
    return types;
  }

  /// What the values of a field depend on beside the segment: its definition, and those of all
  /// runtime fields where a script may read them.
  private String definition(FieldType type) {
    String own = type.toJson().toString();
    ScriptedValues scripted = type.scripted();
    if (scripted == null) {
      return own;
    }
    StringBuilder all = new StringBuilder(own).append(scripted);
    types().forEach((path, other) -> all.append(path).append(other.scripted()));
    return CHANCE.matcher(all).find() ? all + "@" + System.identityHashCode(this) : all.toString();
  }

  /// Hears of a reader that makes values one by one.
  void open(LeafReader segment, String path) {
    synchronized (used) {
      readers.merge(new Place(segment, path), 1, Integer::sum);
    }
  }

  /// Whether a column that a reader could use is worth its memory and making: when another reader
  /// of this search has been opened, or somebody could have used it before. What is asked once is
  /// answered for less without.
  boolean isWorthMaking(LeafReader segment, String path, FieldType type) {
    boolean isShared;
    synchronized (used) {
      isShared = readers.getOrDefault(new Place(segment, path), 0) > 1;
    }
    return columns.wasWanted(segment, path, definition(type)) || isShared;
  }

  /// The column of a field if somebody has made it already.
  @Nullable RuntimeColumn known(LeafReader segment, String path, FieldType type) {
    Place place = new Place(segment, path);
    synchronized (used) {
      RuntimeColumns.Held known = used.get(place);
      if (known != null) {
        return known.column();
      }
    }
    RuntimeColumns.Held held = columns.find(segment, path, definition(type));
    return held == null ? null : use(place, held);
  }

  /// The column of a field that [#types] has.
  ///
  /// @param isInner whether it is made for another column
  RuntimeColumn column(
      LeafReader segment,
      String path,
      FieldType type,
      boolean isInner,
      RuntimeColumns.Loading loading)
      throws IOException {
    Place place = new Place(segment, path);
    synchronized (used) {
      RuntimeColumns.Held known = used.get(place);
      if (known != null) {
        return known.column();
      }
    }
    return use(place, columns.acquire(segment, path, definition(type), !isInner, loading));
  }

  private RuntimeColumn use(Place place, RuntimeColumns.Held held) {
    synchronized (used) {
      RuntimeColumns.Held before = used.putIfAbsent(place, held);
      if (before != null) {
        columns.release(held);
        return before.column();
      }
    }
    return held.column();
  }

  void release() {
    synchronized (used) {
      used.values().forEach(columns::release);
      used.clear();
    }
  }
}
