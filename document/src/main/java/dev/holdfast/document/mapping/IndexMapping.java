package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentLimits;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MadeField;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.document.SourceReading;
import dev.holdfast.document.analysis.Analysis;
import dev.holdfast.document.batch.ColumnarBatch;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.ScriptParameter;
import dev.holdfast.document.field.metadata.MetadataTypes;
import dev.holdfast.document.mapping.tree.DocumentMapping;
import dev.holdfast.document.mapping.tree.Dynamic;
import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import dev.holdfast.document.mapping.tree.SourcePatterns;
import dev.holdfast.document.synthetic.CopiedFields;
import dev.holdfast.document.synthetic.SyntheticSource;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.jspecify.annotations.Nullable;

/// The mapping of an index: the tree, its options, and its fields by path.
public final class IndexMapping implements DocumentMapping {
  private final FieldContext context;
  private final DocumentLimits limits;
  private final RootOptions options;
  private final ObjectMapping root;
  private final SortedMap<String, MappedField> fields = new TreeMap<>();
  private final SortedMap<String, List<String>> copies = new TreeMap<>();
  private final SortedMap<String, MappedField> metadata;
  private final SortedMap<String, ScriptedValues> scripts = new TreeMap<>();
  private final SortedMap<String, FieldType> runtime;
  private final SortedMap<String, FieldType> made;
  private final @Nullable SyntheticSource synthetic;
  private boolean hasNested;
  private boolean hasSimilarities;
  private boolean hasKeys;

  private IndexMapping(
      FieldContext context, DocumentLimits limits, RootOptions options, ObjectMapping root) {
    this(context, limits, options, root, Collections.emptySortedMap());
  }

  private IndexMapping(
      FieldContext context,
      DocumentLimits limits,
      RootOptions options,
      ObjectMapping root,
      SortedMap<String, FieldType> made) {
    this.made = made;
    this.context = context;
    this.limits = limits;
    this.options = options;
    this.root = root;
    this.metadata = MetadataTypes.of(context);
    collect(root);
    scripts.keySet().forEach(path -> ScriptParameter.requireNoScope(path, nestedScope(path)));
    SortedMap<String, FieldType> ofMapping =
        RuntimeFields.types(options.json().get("runtime"), context);
    ofMapping.forEach((path, type) -> fields.put(path, new MappedField(path, type)));
    this.runtime = RuntimeFields.both(ofMapping, made);
    FieldAliases.resolve(fields, root);
    this.synthetic = synthetic(context.settings());
  }

  private @Nullable SyntheticSource synthetic(SortedMap<String, Object> settings) {
    if (!isMode(settings, "synthetic")) {
      return null;
    }
    if (!options.sourcePatterns().keepsAll()) {
      throw MappingParser.fault(
          "Failed to parse mapping: filtering the stored _source is incompatible with synthetic"
              + " source");
    }
    Object keep = settings.get("index.mapping.synthetic_source_keep");
    return options.isSourceEnabled()
        ? new SyntheticSource(root, options.copyTargets(), keep == null ? null : keep.toString())
        : null;
  }

  private static boolean isMode(SortedMap<String, Object> settings, String mode) {
    return mode.equalsIgnoreCase(String.valueOf(settings.get("index.mapping.source.mode")));
  }

  /// Reads a mapping.
  ///
  /// Limits are asked when it is merged: an index opens though they were lowered since.
  ///
  /// @param settings flat index settings
  /// @throws Refusal `mapper_parsing_exception` for what can't be read
  public static IndexMapping create(ObjectNode mapping, SortedMap<String, Object> settings) {
    FieldContext context = new FieldContext(Analysis.of(settings), settings);
    DocumentLimits limits = DocumentLimits.of(settings);
    Parsed parsed = parse(InheritedDimensions.said(mapping, null), context);
    return new IndexMapping(context, limits, parsed.options(), parsed.root());
  }

  @Override
  public @Nullable Analyzer analyzer(String name) {
    return context.analysis().analyzer(name);
  }

  private void collect(ObjectMapping object) {
    for (MappingNode member : object.members().values()) {
      switch (member) {
        case ObjectMapping inner -> {
          hasNested |= inner.isNested();
          collect(inner);
        }
        case LeafMapping leaf -> {
          put(leaf.path(), leaf.type());
          if (leaf.script() != null) {
            scripts.put(leaf.path(), leaf.script());
          }
          leaf.fields().values().forEach(field -> put(field.path(), field.type()));
          leaf.copyTo()
              .forEach(target ->
                  copies.computeIfAbsent(target, _ -> new ArrayList<>()).add(leaf.path()));
        }
      }
    }
  }

  private void put(String path, FieldType type) {
    fields.put(path, new MappedField(path, type));
    hasSimilarities |= type.similarity() != null;
    hasKeys |= type.under(path, "") != null;
    type.parts().forEach((name, part) -> put(path + name, part));
  }

  @Override
  public @Nullable MappedField field(String path) {
    MappedField field = fields.get(path);
    if (field == null) {
      field = metadata.get(path);
    }
    FieldType ofRequest = field == null ? made.get(path) : null;
    if (ofRequest != null) {
      return new MappedField(path, ofRequest);
    }
    return field == null && hasKeys ? underneath(path) : field;
  }

  /// A field below another that the mapping does not name.
  private @Nullable MappedField underneath(String path) {
    for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      MappedField above = fields.get(path.substring(0, dot));
      if (above != null) {
        FieldType type = above.type().under(above.path(), path.substring(dot + 1));
        return type == null ? null : new MappedField(above.path() + path.substring(dot), type);
      }
    }
    return null;
  }

  @Override
  public List<String> copiedTo(String path) {
    return copies.getOrDefault(path, List.of());
  }

  @Override
  public boolean isObject(String path) {
    return member(path) instanceof ObjectMapping;
  }

  @Override
  public boolean isNested(String path) {
    return member(path) instanceof ObjectMapping object && object.isNested();
  }

  @Override
  public boolean isInRoot(String path) {
    return member(path) instanceof ObjectMapping object
        && object.nesting() != null
        && object.nesting().includeInRoot();
  }

  @Override
  public @Nullable String nestedScope(String path) {
    if (!hasNested) {
      return null;
    }
    String scope = null;
    ObjectMapping at = root;
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      String name = path.substring(at.path().isEmpty() ? 0 : at.path().length() + 1, dot);
      if (!(at.members().get(name) instanceof ObjectMapping inner)) {
        break;
      }
      at = inner;
      scope = at.isNested() ? at.path() : scope;
    }
    return scope;
  }

  @Override
  public boolean hasSimilarities() {
    return hasSimilarities;
  }

  @Override
  public boolean hasNested() {
    return hasNested;
  }

  @Override
  public Collection<MappedField> fields() {
    return Collections.unmodifiableCollection(fields.values());
  }

  @Override
  public SortedMap<String, ScriptedValues> scripts() {
    return Collections.unmodifiableSortedMap(scripts);
  }

  @Override
  public SortedMap<String, FieldType> runtime() {
    return runtime;
  }

  @Override
  public IndexMapping withRuntime(ObjectNode more) {
    RuntimeFields.refuseRemoval(more);
    ObjectNode overlay = Json.object();
    overlay.set("runtime", more);
    return new IndexMapping(context, limits, options.merge(RootOptions.of(overlay)), root);
  }

  @Override
  public IndexMapping withMade(SortedMap<String, MadeField> wanted) {
    return new IndexMapping(
        context, limits, options, root, RuntimeFields.made(wanted, this::field, context));
  }

  @Override
  public List<String> matching(String pattern) {
    if (pattern.indexOf('*') < 0) {
      return field(pattern) == null ? List.of() : List.of(pattern);
    }
    StopSignal.lookForCancelling(); // a request may have as many patterns as there are fields
    return fields.keySet().stream().filter(path -> Wildcards.matches(pattern, path)).toList();
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = Json.object();
    ObjectNode tree = root.toJson();
    JsonNode properties = tree.remove("properties");
    json.setAll(tree);
    json.setAll(options.shown());
    if (runtime.isEmpty()) {
      json.remove("runtime");
    } else {
      json.set("runtime", RuntimeFields.shown(options.json().path("runtime"), runtime));
    }
    if (properties != null) {
      json.set("properties", properties);
    }
    return json;
  }

  private record Parsed(RootOptions options, ObjectMapping root) {}

  private static Parsed parse(ObjectNode json, FieldContext context) {
    ObjectNode body = RootOptions.unwrapped(json);
    try {
      var _ = RuntimeFields.types(body.get("runtime"), context);
      return new Parsed(RootOptions.of(body), new MappingParser(context).root(body));
    } catch (Refusal e) {
      throw Refusal.around(ErrorType.MAPPER_PARSING, "Failed to parse mapping: " + e.reason(), e);
    }
  }

  @Override
  public IndexMapping merge(ObjectNode update) {
    Parsed changed = parse(InheritedDimensions.said(update, root), context);
    boolean isFirst = toJson().isEmpty(); // of an index that was made without one, and says nothing
    ObjectMapping merged = isFirst ? changed.root() : root.merge(changed.root());
    RootOptions mergedOptions = isFirst ? changed.options() : options.merge(changed.options());
    MappingLimits.check(merged, RuntimeFields.count(mergedOptions), limits);
    MappingLimits.checkMemory(merged, Runtime.getRuntime().maxMemory());
    DimensionRules.check(merged, context.settings());
    if (synthetic != null) {
      CopiedFields.of(root, options.copyTargets())
          .requireSame(CopiedFields.of(merged, mergedOptions.copyTargets()));
    }
    IndexMapping result = new IndexMapping(context, limits, mergedOptions, merged);
    result = DimensionRules.routed(result, context.settings());
    return result.toJson().equals(toJson()) ? this : IndexSort.flat(result, context.settings());
  }

  @Override
  public BatchBuilder newBatch() {
    return new ColumnarBatch(this, synthetic == null ? null : synthetic.newResidue());
  }

  @Override
  public DocumentLimits limits() {
    return limits;
  }

  @Override
  public boolean isRoutingRequired() {
    return options.isRoutingRequired();
  }

  @Override
  public boolean requiresTimestamp() {
    return options.requiresTimestamp();
  }

  @Override
  public boolean isSourceEnabled() {
    return options.isSourceEnabled() && !isMode(context.settings(), "disabled");
  }

  @Override
  public SourceReading sources() {
    return synthetic == null ? SourceReading.STORED : synthetic;
  }

  @Override
  public SourcePatterns sourcePatterns() {
    return options.sourcePatterns();
  }

  @Override
  public ObjectMapping root() {
    return root;
  }

  @Override
  public @Nullable MappingNode member(String path) {
    @Nullable MappingNode at = root;
    String rest = path;
    while (at instanceof ObjectMapping object && !rest.isEmpty()) {
      int dot = object.isFlat() ? -1 : rest.indexOf('.');
      at = object.members().get(dot < 0 ? rest : rest.substring(0, dot));
      if (dot < 0) {
        return at;
      }
      rest = rest.substring(dot + 1);
    }
    return null;
  }

  @Override
  public boolean mayAdd(String path) {
    Dynamic dynamic = root.dynamic() == null ? Dynamic.TRUE : root.dynamic();
    ObjectMapping at = root;
    String rest = path;
    while (true) {
      int dot = at.isFlat() ? -1 : rest.indexOf('.');
      MappingNode member = at.members().get(dot < 0 ? rest : rest.substring(0, dot));
      if (dot < 0 || !(member instanceof ObjectMapping inner)) {
        return member == null && dynamic == Dynamic.TRUE && !runtime.containsKey(path);
      }
      at = inner;
      dynamic = inner.dynamic() == null ? dynamic : inner.dynamic();
      rest = rest.substring(dot + 1);
    }
  }

  @Override
  public boolean isMetadata(String name) {
    return metadata.containsKey(name);
  }

  @Override
  public ObjectNode infer(JsonNode document, Map<String, String> named, Collection<String> left) {
    ObjectNode update =
        new DynamicMapping(options, limits, named, path -> runtime.containsKey(path))
            .infer(root, document);
    return limits.ignoresFieldsBeyondLimit() && !update.isEmpty()
        ? MappingLimits.cut(
            update, limits.totalFieldsMax() - MappingLimits.count(root) - runtime.size(), left)
        : update;
  }
}
