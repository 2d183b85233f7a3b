package dev.holdfast.search.fielduse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.util.IOSupplier;

/// How often searches of one copy read each field, and which of its structures; once each in a
/// phase of a search. Lost with the copy. It has room for the fields of its segments only.
public final class FieldUse {
  /// What a field is made of in Lucene.
  enum Structure {
    ANY,
    TERMS,
    POSTINGS,
    TERM_FREQUENCIES,
    POSITIONS,
    OFFSETS,
    PAYLOADS,
    /// Positions, offsets or payloads.
    PROXIMITY,
    STORED_FIELDS,
    DOC_VALUES,
    POINTS,
    NORMS,
    TERM_VECTORS,
    KNN_VECTORS;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final ScopedValue<Phase> PHASE = ScopedValue.newInstance();

  private final ConcurrentMap<String, Map<Structure, LongAdder>> counts = new ConcurrentHashMap<>();
  private final String trackingId;
  private final long startedMillis;

  /// @param trackingId tells these counts from those of the copies before and after
  public FieldUse(String trackingId, long startedMillis) {
    this.trackingId = trackingId;
    this.startedMillis = startedMillis;
  }

  /// What one phase of a search has read so far, by field. Belongs to one thread.
  private record Phase(FieldUse use, Map<String, Set<Structure>> read) {
    void mark(String field, Structure structure) {
      Set<Structure> seen = read.get(field);
      if (seen == null) {
        seen = EnumSet.noneOf(Structure.class);
        read.put(field, seen);
      }
      if (seen.add(structure)) {
        Map<Structure, LongAdder> of = use.counts.computeIfAbsent(field, _ -> zeros());
        count(of, structure);
        if (seen.add(Structure.ANY)) {
          count(of, Structure.ANY);
        }
      }
    }

    private static void count(Map<Structure, LongAdder> of, Structure structure) {
      Objects.requireNonNull(of.get(structure), structure.label()).increment();
    }
  }

  private static Map<Structure, LongAdder> zeros() {
    Map<Structure, LongAdder> zeros = new EnumMap<>(Structure.class);
    for (Structure structure : Structure.values()) {
      zeros.put(structure, new LongAdder());
    }
    return Collections.unmodifiableMap(zeros);
  }

  /// Runs a phase of a search, whose reads count.
  public <T> T during(IOSupplier<T> phase) throws IOException {
    return ScopedValue.where(PHASE, new Phase(this, new HashMap<>()))
        .<T, IOException>call(phase::get);
  }

  /// Notes that the phase that runs reads a structure of a field; nothing when none runs.
  static void mark(String field, Structure structure) {
    if (PHASE.isBound()) {
      PHASE.get().mark(field, structure);
    }
  }

  /// The counts as nodes tell them.
  public ObjectNode toJson() {
    ObjectNode json =
        Json.object()
            .put("tracking_id", trackingId)
            .put("tracking_started_at_millis", startedMillis);
    ObjectNode fields = json.putObject("fields");
    new TreeMap<>(counts)
        .forEach((field, of) -> {
          ObjectNode shown = fields.putObject(field);
          of.forEach((structure, count) -> shown.put(structure.label(), count.sum()));
        });
    return json;
  }
}
