package dev.holdfast.api.search.caps;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.search.lookup.AskedShards;
import dev.holdfast.api.search.lookup.ShardFilter;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.query.inspection.PresentFieldsInspection;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import dev.holdfast.world.text.Wildcards;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// `GET|POST /_field_caps`, `/{index}/_field_caps`: what fields of several indices can do.
public final class FieldCapsApi implements Api {
  public static final List<String> PARAMETERS = parameters();

  private static final List<String> METADATA =
      List.of(
          "_id",
          "_index",
          "_routing",
          "_source",
          "_seq_no",
          "_version",
          "_field_names",
          "_ignored",
          MetadataFields.DOC_COUNT,
          MetadataFields.SERIES);

  private static final List<String> FILTERS =
      List.of("+metadata", "-metadata", "-parent", "-nested", "-multifield");

  private final World world;
  private final Metadata metadata;
  private final Searches searches;
  private final MappingFactory mappings;

  public FieldCapsApi(World world, Metadata metadata, Searches searches, MappingFactory mappings) {
    this.world = world;
    this.metadata = metadata;
    this.searches = searches;
    this.mappings = mappings;
  }

  private static List<String> parameters() {
    List<String> all = new ArrayList<>(IndexExpression.PARAMETERS);
    all.addAll(List.of("fields", "include_unmapped", "filters", "types", "include_empty_fields"));
    return List.copyOf(all);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    JsonObject body = JsonObject.of("field_caps", request.body().object());
    JsonNode named = body.take("fields");
    if (named != null && (named.isNumber() || named.isBoolean())) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[field_caps_request] fields doesn't support values of type: " + JsonObject.token(named));
    }
    List<String> patterns = new ArrayList<>(body.strings("fields"));
    if (!patterns.isEmpty() && request.has("fields")) {
      throw Refusal.badArgument(
          "can't specify a request body and [fields] request parameter, either specify a request"
              + " body or the [fields] request parameter");
    }
    patterns.addAll(request.list("fields"));
    JsonNode filter = body.take("index_filter");
    JsonNode runtime = body.take("runtime_mappings");
    if (runtime != null && !runtime.isObject()) {
      throw Refusal.badArgument("runtime_mappings must be an object");
    }
    body.done();
    if (patterns.isEmpty()) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: no fields specified;");
    }
    List<String> types = request.list("types");
    List<String> filters = request.list("filters");
    for (String one : filters) {
      if (!FILTERS.contains(one)) {
        throw Refusal.badArgument("Unknown field caps filter [" + one + "]");
      }
    }
    boolean withEmpty = request.flag("include_empty_fields", true);
    MappingCaps.Known known =
        new MappingCaps.Known(index -> read(index, runtime, patterns, filters, types));
    FieldCapsAnswer answer = new FieldCapsAnswer();
    List<IndexMetadata> all =
        IndexBlocks.readable(
            IndexExpression.resolve(
                metadata.current(),
                request.text("index", ""),
                IndexExpression.Options.SEARCH.of(request)));
    for (IndexMetadata index :
        filter == null ? all : new ShardFilter(world, metadata, searches, filter).indices(all)) {
      StopSignal.lookForCancelling();
      MappingCaps mapped = known.of(index);
      answer.add(index.id().name(), withEmpty ? mapped.caps() : present(index, mapped));
    }
    return answer.answer(request.flag("include_unmapped", false));
  }

  private MappingCaps read(
      IndexMetadata index,
      @Nullable JsonNode runtime,
      List<String> patterns,
      List<String> filters,
      List<String> types) {
    Mapping stored = mappings.of(index);
    Mapping mapping = runtime instanceof ObjectNode more ? stored.withRuntime(more) : stored;
    SortedMap<String, FieldCap> caps = caps(mapping, patterns, filters, types);
    List<String> mapped = new ArrayList<>();
    caps.forEach((path, cap) -> {
      if (!cap.isMetadata() && mapping.field(path) != null) {
        mapped.add(path);
      }
    });
    return new MappingCaps(caps, mapped);
  }

  /// What the fields can do that have a value in any shard, the objects around them, and metadata
  /// fields.
  private SortedMap<String, FieldCap> present(IndexMetadata index, MappingCaps mapped)
      throws IOException {
    MappingCaps.reserve(mapped.caps().size());
    SortedSet<String> present = new TreeSet<>();
    ObjectNode question = Json.object();
    ArrayNode asked = question.putArray("fields");
    mapped.mapped().forEach(asked::add);
    AskedShards shards = new AskedShards(metadata);
    for (int number = 0; number < shards.count(index); number++) {
      ShardId shard = new ShardId(index.id(), number);
      for (JsonNode field :
          searches.ask(shard, PresentFieldsInspection.NAME, question).path("present")) {
        String path = field.asText();
        present.add(path);
        for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
          present.add(path.substring(0, dot));
        }
      }
    }
    SortedMap<String, FieldCap> caps = new TreeMap<>();
    mapped
        .caps()
        .forEach((path, cap) -> {
          if (cap.isMetadata() || present.contains(path)) {
            caps.put(path, cap);
          }
        });
    return caps;
  }

  private static SortedMap<String, FieldCap> caps(
      Mapping mapping, List<String> patterns, List<String> filters, List<String> types) {
    SortedMap<String, FieldCap> caps = new TreeMap<>();
    boolean hasSeries = mapping.field(MetadataFields.SERIES) != null;
    SortedSet<String> paths = new TreeSet<>();
    mapping.fields().forEach(field -> paths.add(field.path()));
    paths.addAll(mapping.matching("*"));
    for (String path : paths) {
      StopSignal.pollForCancelling();
      MappedField field = mapping.field(path);
      if (field == null || !isWanted(path, patterns)) {
        continue;
      }
      FieldCap cap = cap(field.type(), false, hasSeries);
      boolean isInside =
          (filters.contains("-nested") && mapping.nestedScope(path) != null)
              || (filters.contains("-multifield") && isMultiField(mapping, path));
      if (isInside || !isShown(cap, filters, types)) {
        continue;
      }
      caps.put(path, cap);
      // The objects around a field are shown with it, whatever was asked for.
      for (int dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
        String object = path.substring(0, dot);
        boolean isNested = mapping.isNested(object);
        boolean isLeftOut =
            filters.contains("-parent")
                || filters.contains("+metadata")
                || (isNested && filters.contains("-nested"));
        if ((mapping.isObject(object) || field.type().isRuntime()) && !isLeftOut) {
          caps.put(
              object,
              new FieldCap(isNested ? "nested" : "object", false, false, false, SeriesCaps.NONE));
        }
      }
    }
    for (String name : METADATA) {
      MappedField field = mapping.field(name);
      if (field != null && isWanted(name, patterns)) {
        FieldCap cap = metadataCap(name, field.type());
        if (isShown(cap, filters, types)) {
          caps.put(name, cap);
        }
      }
    }
    return caps;
  }

  /// Whether what holds the field is a field itself.
  private static boolean isMultiField(Mapping mapping, String path) {
    int dot = path.lastIndexOf('.');
    return dot > 0
        && !mapping.isObject(path.substring(0, dot))
        && mapping.field(path.substring(0, dot)) != null;
  }

  private static boolean isShown(FieldCap cap, List<String> filters, List<String> types) {
    boolean isLeftOut =
        (filters.contains("-metadata") && cap.isMetadata())
            || (filters.contains("+metadata") && !cap.isMetadata());
    return !isLeftOut && (types.isEmpty() || types.contains(cap.type()));
  }

  private static boolean isWanted(String path, List<String> patterns) {
    return patterns.stream().anyMatch(pattern -> Wildcards.matches(pattern, path));
  }

  private static FieldCap cap(FieldType type, boolean isMetadata, boolean hasSeries) {
    boolean isAggregatable =
        type.isVirtual()
            || type.isConstant()
            || (type.values() != ValuesKind.NONE && type.values() != ValuesKind.BINARY);
    return new FieldCap(
        family(type.typeName()),
        isMetadata,
        type.isSearchable(),
        isAggregatable,
        hasSeries ? SeriesCaps.of(type) : SeriesCaps.NONE);
  }

  /// Indices are found by name in aggregations, versions in no query.
  private static FieldCap metadataCap(String name, FieldType type) {
    FieldCap cap = cap(type, true, false);
    return new FieldCap(
        cap.type(),
        true,
        cap.isSearchable() && !name.equals("_version"),
        cap.isAggregatable() || name.equals("_index"),
        SeriesCaps.NONE);
  }

  private static String family(String type) {
    return switch (type) {
      case "constant_keyword", "wildcard" -> "keyword";
      case "match_only_text" -> "text";
      case MetadataFields.DOC_COUNT -> "integer";
      default -> type;
    };
  }
}
