package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentLimits;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.analysis.Analysis;
import dev.holdfast.document.batch.ColumnarBatch;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.MetadataTypes;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Analyzer;
import org.jspecify.annotations.Nullable;

/// The mapping of an index: the tree, its options, and its fields by path.
public final class IndexMapping implements Mapping {
  private final FieldContext context;
  private final DocumentLimits limits;
  private final RootOptions options;
  private final ObjectMapping root;
  private final SortedMap<String, MappedField> fields = new TreeMap<>();
  private final SortedMap<String, MappedField> metadata;
  private final DynamicMapping dynamic;

  private IndexMapping(
      FieldContext context, DocumentLimits limits, RootOptions options, ObjectMapping root) {
    this.context = context;
    this.limits = limits;
    this.options = options;
    this.root = root;
    this.metadata = MetadataTypes.of(context);
    this.dynamic = new DynamicMapping(options);
    collect(root);
    resolveAliases();
  }

  /// Reads a mapping.
  ///
  /// @param settings flat index settings
  /// @throws Refusal `mapper_parsing_exception` for what can't be read,
  ///   `illegal_argument_exception` for a limit
  public static IndexMapping create(ObjectNode mapping, SortedMap<String, Object> settings) {
    FieldContext context = new FieldContext(Analysis.of(settings), settings);
    DocumentLimits limits = DocumentLimits.of(settings);
    Parsed parsed = parse(mapping, context);
    Limits.check(parsed.root(), limits);
    return new IndexMapping(context, limits, parsed.options(), parsed.root());
  }

  @Override
  public @Nullable Analyzer analyzer(String name) {
    return context.analysis().analyzer(name);
  }

  private void collect(ObjectMapping object) {
    for (Member member : object.members().values()) {
      switch (member) {
        case ObjectMapping inner -> collect(inner);
        case LeafMapping leaf -> {
          fields.put(leaf.path(), new MappedField(leaf.path(), leaf.type()));
          leaf.fields()
              .values()
              .forEach(f -> fields.put(f.path(), new MappedField(f.path(), f.type())));
        }
      }
    }
  }

  /// An alias answers with the field it stands for.
  private void resolveAliases() {
    for (var entry : fields.entrySet()) {
      String target = MetadataTypes.aliasTarget(entry.getValue().type());
      if (target != null) {
        MappedField meant = fields.get(target);
        if (meant == null || MetadataTypes.aliasTarget(meant.type()) != null) {
          throw MappingParser.fault(
              "Invalid [path] value ["
                  + target
                  + "] for field alias ["
                  + entry.getKey()
                  + "]: an alias must refer to an existing field in the mappings.");
        }
        entry.setValue(meant);
      }
    }
  }

  @Override
  public @Nullable MappedField field(String path) {
    MappedField field = fields.get(path);
    return field == null ? metadata.get(path) : field;
  }

  @Override
  public boolean isObject(String path) {
    return member(path) instanceof ObjectMapping;
  }

  @Override
  public Collection<MappedField> fields() {
    return Collections.unmodifiableCollection(fields.values());
  }

  @Override
  public List<String> matching(String pattern) {
    if (pattern.indexOf('*') < 0) {
      return field(pattern) == null ? List.of() : List.of(pattern);
    }
    Pattern regex = Wildcards.pattern(pattern);
    return fields.keySet().stream().filter(path -> regex.matcher(path).matches()).toList();
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = Json.object();
    ObjectNode tree = root.toJson();
    JsonNode properties = tree.remove("properties");
    json.setAll(tree);
    json.setAll(options.json().deepCopy());
    if (properties != null) {
      json.set("properties", properties);
    }
    return json;
  }

  private record Parsed(RootOptions options, ObjectMapping root) {}

  private static Parsed parse(ObjectNode json, FieldContext context) {
    ObjectNode body = unwrapped(json);
    try {
      return new Parsed(RootOptions.of(body), new MappingParser(context).root(body));
    } catch (Refusal e) {
      throw new Refusal(ErrorType.MAPPER_PARSING, "Failed to parse mapping: " + e.reason(), e);
    }
  }

  @Override
  public IndexMapping merge(ObjectNode update) {
    Parsed changed = parse(update, context);
    ObjectMapping merged = root.merge(changed.root());
    Limits.check(merged, limits);
    IndexMapping result =
        new IndexMapping(context, limits, options.merge(changed.options()), merged);
    return result.toJson().equals(toJson()) ? this : result;
  }

  /// Old clients wrap mappings in the type name.
  private static ObjectNode unwrapped(ObjectNode update) {
    return update.size() == 1 && update.get("_doc") instanceof ObjectNode inner ? inner : update;
  }

  @Override
  public BatchBuilder newBatch() {
    return new ColumnarBatch(this);
  }

  @Override
  public DocumentLimits limits() {
    return limits;
  }

  @Override
  public boolean isRoutingRequired() {
    return options.isRoutingRequired();
  }

  public boolean isSourceEnabled() {
    return options.isSourceEnabled();
  }

  public ObjectMapping root() {
    return root;
  }

  /// The member of that full path, multi-fields excluded.
  public @Nullable Member member(String path) {
    @Nullable Member at = root;
    for (String name : path.split("\\.", -1)) {
      at = at instanceof ObjectMapping object ? object.members().get(name) : null;
    }
    return at;
  }

  /// Whether documents must not have a member of that name at their top.
  public boolean isMetadata(String name) {
    return metadata.containsKey(name);
  }

  /// The update that a document asks for; empty when the mapping has all its fields.
  public ObjectNode infer(JsonNode document) {
    return dynamic.infer(root, document);
  }
}
