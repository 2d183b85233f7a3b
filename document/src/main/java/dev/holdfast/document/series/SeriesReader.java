package dev.holdfast.document.series;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.SeriesId;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.batch.DocumentFaults;
import dev.holdfast.document.mapping.tree.DocumentMapping;
import dev.holdfast.document.scan.JsonScanner;
import dev.holdfast.document.scan.MalformedJson;
import dev.holdfast.document.scan.Token;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonTree;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Reads of documents what their ids are made of: dimensions and time. Immutable.
public final class SeriesReader {
  private static final String TIME = "@timestamp";

  /// Fields of dimensions that get their values from a path; the path itself, multi-fields of it,
  /// and what it is copied to.
  private final Map<String, List<MappedField>> dimensions = new HashMap<>();

  private final Mapping mapping;
  private final TimeSeries bounds;

  /// Whether a field that the mapping lacks may become a dimension.
  private final boolean maySpread;

  /// @param mapping of an index of time series
  public SeriesReader(Mapping mapping, TimeSeries bounds) {
    this.mapping = mapping;
    this.bounds = bounds;
    this.maySpread =
        mapping.toJson().path("dynamic_templates").toString().contains("time_series_dimension")
            || (mapping instanceof DocumentMapping here && here.root().spreadsDimensions());
    for (MappedField field : mapping.fields()) {
      if (field.type().isDimension() || !field.type().dimensionKeys().isEmpty()) {
        from(field);
      }
    }
  }

  private void from(MappedField field) {
    String path = field.path();
    int dot = path.lastIndexOf('.');
    boolean isPart =
        dot > 0
            && !mapping.isObject(path.substring(0, dot))
            && mapping.field(path.substring(0, dot)) != null;
    add(isPart ? path.substring(0, dot) : path, field);
    mapping.copiedTo(path).forEach(source -> add(source, field));
  }

  private void add(String source, MappedField field) {
    List<MappedField> fields = dimensions.computeIfAbsent(source, _ -> new ArrayList<>());
    if (fields.stream().noneMatch(other -> other.path().equals(field.path()))) {
      fields.add(field); // an alias names it once more
    }
  }

  /// When the index begins and ends.
  public TimeSeries bounds() {
    return bounds;
  }

  /// Reads a document once.
  ///
  /// @throws Refusal `document_parsing_exception` when it is no JSON, or its time is none
  public Scanned scan(byte[] bytes, int offset, int length) {
    return new Scanned(bytes, offset, length);
  }

  /// A document that was read.
  public final class Scanned {
    private final byte[] bytes;
    private final int offset;
    private final int length;
    private final Walk walk;

    private Scanned(byte[] bytes, int offset, int length) {
      this.bytes = bytes;
      this.offset = offset;
      this.length = length;
      this.walk = walk(bytes, offset, length);
    }

    /// Its time, whether or not the index holds it.
    ///
    /// @throws Refusal `document_parsing_exception` when it has none
    public long millis() {
      return SeriesReader.this.millis(walk.requireTime());
    }

    /// Its id.
    ///
    /// @param named the dynamic templates that new fields must take, by their paths
    /// @throws Refusal `document_parsing_exception` when it has no time or one that the index does
    ///   not hold; `illegal_argument_exception` when it has no dimension that routes
    public SeriesId id(Map<String, String> named) {
      Walk whole = walk;
      if (whole.meetsUnknown && maySpread && mapping instanceof DocumentMapping here) {
        ObjectNode update;
        try (JsonTree tree = JsonTree.of(bytes, offset, length)) {
          update = here.infer(tree.root(), named, new ArrayList<>());
        }
        if (!update.isEmpty()) {
          SeriesReader grown = new SeriesReader(mapping.merge(update), bounds);
          whole = grown.walk(bytes, offset, length);
        }
      }
      if (!whole.found.haveRouting()) {
        throw Refusal.badArgument(
            "Error extracting routing: source didn't contain any routing fields");
      }
      long time = whole.requireTime();
      try {
        bounds.requireHeld(SeriesReader.this.millis(time));
      } catch (Refusal outside) {
        throw new Refusal(
            ErrorType.DOCUMENT_PARSING, "failed to parse: " + outside.reason(), outside);
      }
      return new SeriesId(whole.found.series(), time, whole.found.routing());
    }
  }

  private Walk walk(byte[] bytes, int offset, int length) {
    Walk walk = new Walk();
    try {
      walk.scanner.open(bytes, offset, length);
      if (walk.scanner.next() == Token.OBJECT) {
        walk.object("");
      }
      return walk;
    } catch (MalformedJson e) {
      throw DocumentFaults.malformed(e);
    }
  }

  /// Of a doc value.
  private long millis(long time) {
    MappedField field = mapping.field(TIME);
    return field != null && field.type().values() == ValuesKind.DATE_NANOS
        ? Math.floorDiv(time, 1_000_000L)
        : time;
  }

  /// One pass over a document.
  private final class Walk {
    final JsonScanner scanner = new JsonScanner();
    final Dimensions found = new Dimensions();
    boolean meetsUnknown;
    private boolean hasTime;
    private long time;

    long requireTime() {
      if (!hasTime) {
        String why = "data stream timestamp field [" + TIME + "] is missing";
        throw new Refusal(
            ErrorType.DOCUMENT_PARSING, "failed to parse: " + why, Refusal.badArgument(why));
      }
      return time;
    }

    void object(String prefix) {
      for (boolean isFirst = true; scanner.nextMember(isFirst); isFirst = false) {
        value(prefix + scanner.nameText(), scanner.next());
      }
    }

    private void value(String path, Token token) {
      switch (token) {
        case NULL -> {}
        case OBJECT -> {
          List<MappedField> fields = dimensions.get(path);
          if (fields == null) {
            object(path + ".");
          } else {
            keys(fields, scanner.tree());
          }
        }
        case ARRAY -> {
          for (boolean isFirst = true; scanner.nextElement(isFirst); isFirst = false) {
            value(path, scanner.next());
          }
        }
        default -> scalar(path);
      }
    }

    private void scalar(String path) {
      if (path.equals(TIME)) {
        time();
        return;
      }
      List<MappedField> fields = dimensions.get(path);
      if (fields != null) {
        for (MappedField field : fields) {
          add(field.path(), canonical(field.type(), TextNode.valueOf(scanner.text())), "");
        }
      } else if (mapping.field(path) == null) {
        meetsUnknown = true;
        if (bounds.routes(path)) {
          // What routes is a dimension, or is refused when the mapping grows by it.
          add(path, scanner.text().getBytes(StandardCharsets.UTF_8), "");
        }
      }
    }

    private void time() {
      MappedField field = mapping.field(TIME);
      if (field == null || hasTime) {
        return; // of several times the shard refuses the document
      }
      TextNode text = TextNode.valueOf(scanner.text());
      try {
        time = field.type().format(null, null).toDocValue(text, false, 0);
      } catch (Refusal cause) {
        throw new Refusal(
            ErrorType.DOCUMENT_PARSING,
            "failed to parse field ["
                + TIME
                + "] of type ["
                + field.type().typeName()
                + "] in a time series document. Preview of field's value: '"
                + text.asText()
                + "'",
            cause.getCause() instanceof Refusal inner ? inner : cause);
      }
      hasTime = true;
    }

    private void add(String path, byte[] value, String above) {
      found.add(path, value, bounds.routes(path) || (!above.isEmpty() && bounds.routes(above)));
    }

    /// Keys of `flattened` fields.
    private void keys(List<MappedField> fields, JsonNode object) {
      for (MappedField field : fields) {
        keys(field, "", object);
      }
    }

    private void keys(MappedField field, String key, JsonNode value) {
      if (value.isObject()) {
        value
            .properties()
            .forEach(member ->
                keys(
                    field,
                    key.isEmpty() ? member.getKey() : key + "." + member.getKey(),
                    member.getValue()));
      } else if (value.isArray()) {
        value.forEach(element -> keys(field, key, element));
      } else if (!value.isNull() && field.type().dimensionKeys().contains(key)) {
        byte[] text = value.asText().getBytes(StandardCharsets.UTF_8);
        add(field.path() + "." + key, text, field.path());
      }
    }
  }

  /// A value as its field has it: `5` and `"5"` are one number. Of what its field refuses or
  /// ignores, the text.
  private static byte[] canonical(FieldType type, TextNode text) {
    try {
      if (type.values().isNumeric()) {
        long value = type.format(null, null).toDocValue(text, false, 0);
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
      }
      BytesRef term = type.format(null, null).toTerm(text);
      return BytesRef.deepCopyOf(term).bytes;
    } catch (Refusal _) {
      return text.asText().getBytes(StandardCharsets.UTF_8);
    }
  }

  /// The path of a field that must not route: none but dimensions may.
  ///
  /// @return null when there is none
  public static @Nullable String notDimension(Mapping mapping, List<String> paths) {
    for (MappedField field : mapping.fields()) {
      boolean isDimension =
          (field.type().isDimension() && field.type().scripted() == null)
              || !field.type().dimensionKeys().isEmpty();
      if (!isDimension && TimeSeries.routes(paths, field.path())) {
        return field.path();
      }
    }
    return null;
  }
}
