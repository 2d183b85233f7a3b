package dev.holdfast.query.source;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.filter.FilteringGeneratorDelegate;
import com.fasterxml.jackson.core.filter.TokenFilter;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.field.vector.PackedVector;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which parts of a document's source are shown.
///
/// @param includes paths and patterns; empty for all
/// @param excludes paths and patterns that are left out
/// @param excludesVectors whether vectors are left out too; null for what the index says. Those
///   that `includes` name are shown all the same.
/// @param packed vectors by their paths, of which documents may have texts: they are shown as
///   numbers
public record SourceFilter(
    boolean isShown,
    List<String> includes,
    List<String> excludes,
    @Nullable Boolean excludesVectors,
    Map<String, PackedVector> packed) {
  /// The whole source.
  public static final SourceFilter ALL = new SourceFilter(true, List.of(), List.of());

  /// No source.
  public static final SourceFilter NONE = new SourceFilter(false, List.of(), List.of());

  /// With vectors as the index has it.
  public SourceFilter(boolean isShown, List<String> includes, List<String> excludes) {
    this(isShown, includes, excludes, null, Map.of());
  }

  /// Reads the value of `_source`: a boolean, a pattern, patterns, or includes and excludes.
  ///
  /// @param given null for absent
  public static SourceFilter parse(@Nullable JsonNode given) {
    return parse(given, null);
  }

  /// @param stored the value of `stored_fields`, which hides the source unless it names it
  public static SourceFilter parse(@Nullable JsonNode given, @Nullable JsonNode stored) {
    if (given == null || given.isNull()) {
      return stored == null || stored.toString().contains("\"_source\"") ? ALL : NONE;
    }
    if (given.isBoolean() || given.asText().equals("true") || given.asText().equals("false")) {
      return given.asBoolean() ? ALL : NONE;
    }
    if (given.isObject()) {
      JsonObject json = JsonObject.of("_source", given);
      List<String> includes = texts(json, json.has("include") ? "include" : "includes");
      List<String> excludes = texts(json, json.has("exclude") ? "exclude" : "excludes");
      Boolean excludesVectors =
          json.has("exclude_vectors") ? (Boolean) json.bool("exclude_vectors", false) : null;
      json.done();
      return new SourceFilter(
          true, List.copyOf(includes), List.copyOf(excludes), excludesVectors, Map.of());
    }
    JsonObject json = JsonObject.of("_source", Json.object().set("_source", given));
    return new SourceFilter(true, List.copyOf(json.strings("_source")), List.of());
  }

  private static List<String> texts(JsonObject json, String name) {
    JsonNode given = json.node().get(name);
    if (given != null && !given.isArray() && !given.isTextual()) {
      throw unfit(json, name, given);
    }
    if (given != null && given.isArray()) {
      for (JsonNode each : given) {
        if (!each.isTextual()) {
          throw unfit(json, name, each);
        }
      }
    }
    return json.strings(name);
  }

  private static Refusal unfit(JsonObject json, String name, JsonNode value) {
    return new Refusal(
            ErrorType.PARSING, "Unknown key for a value [" + value + "] in [" + name + "].")
        .at(MemberLocation.ofValue(json.node(), name));
  }

  /// The same with the fields that a mapping says are vectors among the excludes, or shown as
  /// numbers.
  public SourceFilter in(Mapping mapping) {
    if (!hidesVectors(mapping.limits().hidesVectors())) {
      Map<String, PackedVector> shown = new HashMap<>();
      for (MappedField field : isShown ? mapping.fields() : List.<MappedField>of()) {
        FieldType.Vectors vectors = field.type().vectors();
        if (vectors != null) {
          shown.put(field.path(), PackedVector.of(vectors));
        }
      }
      return unpacking(shown);
    }
    List<String> vectors = new ArrayList<>();
    for (MappedField field : mapping.fields()) {
      if (field.type().vectors() != null || field.type().typeName().equals("sparse_vector")) {
        vectors.add(field.path());
      }
    }
    return without(vectors);
  }

  /// Whether vectors are left out.
  ///
  /// @param byDefault when the request does not say
  public boolean hidesVectors(boolean byDefault) {
    boolean isHiding = excludesVectors == null ? byDefault : excludesVectors;
    return isShown && includes.isEmpty() && isHiding;
  }

  /// The same with more excludes.
  public SourceFilter without(List<String> paths) {
    if (paths.isEmpty()) {
      return this;
    }
    List<String> all = new ArrayList<>(excludes);
    all.addAll(paths);
    return new SourceFilter(isShown, includes, List.copyOf(all), excludesVectors, packed);
  }

  /// The same, which shows the texts of vectors as numbers.
  public SourceFilter unpacking(Map<String, PackedVector> vectors) {
    return vectors.isEmpty()
        ? this
        : new SourceFilter(isShown, includes, excludes, excludesVectors, Map.copyOf(vectors));
  }

  /// The same, saying whether vectors are left out; `null` for what the index says.
  public SourceFilter withVectors(@Nullable Boolean areExcluded) {
    return new SourceFilter(isShown, includes, excludes, areExcluded, packed);
  }

  /// Whether the source is shown as it is.
  boolean isWhole() {
    return isShown && includes.isEmpty() && excludes.isEmpty();
  }

  /// The parts of a source that pass, in one pass over its bytes.
  public byte[] apply(byte[] source) throws IOException {
    byte[] passed = isWhole() ? source : filtered(source);
    return packed.isEmpty() ? passed : UnpackedVectors.of(passed, packed);
  }

  private byte[] filtered(byte[] source) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(source.length);
    try (JsonParser parser = Json.MAPPER.createParser(source);
        JsonGenerator plain = Json.MAPPER.createGenerator(bytes);
        JsonGenerator filtered =
            new FilteringGeneratorDelegate(
                plain,
                new PathFilter(this, "", includes.isEmpty()),
                TokenFilter.Inclusion.INCLUDE_ALL_AND_PATH,
                true)) {
      parser.nextToken();
      filtered.copyCurrentStructure(parser);
    }
    return bytes.size() == 0 ? new byte[] {'{', '}'} : bytes.toByteArray();
  }

  /// The filter of one object of a source.
  private static final class PathFilter extends TokenFilter {
    private final SourceFilter filter;
    private final String prefix;
    private final boolean isIncluded;
    private final boolean isElement;

    /// @param prefix path of the object with a dot at the end; empty for the root
    /// @param isIncluded whether an include matched the object or one around it
    PathFilter(SourceFilter filter, String prefix, boolean isIncluded) {
      this(filter, prefix, isIncluded, false);
    }

    private PathFilter(SourceFilter filter, String prefix, boolean isIncluded, boolean isElement) {
      this.isElement = isElement;
      this.filter = filter;
      this.prefix = prefix;
      this.isIncluded = isIncluded;
    }

    @Override
    public @Nullable TokenFilter includeProperty(String name) {
      String path = prefix + name;
      if (anyMatches(filter.excludes, path)) {
        return null;
      }
      boolean included = isIncluded || anyMatches(filter.includes, path);
      return included && filter.excludes.isEmpty()
          ? INCLUDE_ALL
          : new PathFilter(filter, path + ".", included);
    }

    @Override
    public TokenFilter includeElement(int index) {
      return isElement ? this : new PathFilter(filter, prefix, isIncluded, true);
    }

    @Override
    protected boolean _includeScalar() {
      return isIncluded;
    }

    @Override
    public boolean includeEmptyObject(boolean contentsFiltered) {
      // An object of a list that nothing is left of is left out itself.
      return (isIncluded && !(isElement && contentsFiltered)) || prefix.isEmpty();
    }

    @Override
    public boolean includeEmptyArray(boolean contentsFiltered) {
      return isIncluded;
    }

    private static boolean anyMatches(List<String> patterns, String path) {
      for (String pattern : patterns) {
        if (Wildcards.matches(pattern, path)) {
          return true;
        }
      }
      return false;
    }
  }
}
