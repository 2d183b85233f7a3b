package dev.holdfast.document.ingest.processor.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.field.ip.Addresses;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.IpDatabase;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Pipelines;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `geoip` and `ip_location`: what a database tells of an address. A document that comes while the
/// database is not there gets a tag that says so.
///
/// @param type the name that the processor is called by
/// @param properties null for those that the database's kind writes by default
public record IpLocationProcessor(
    String type,
    SourceField field,
    String database,
    @Nullable Set<IpProperty> properties,
    boolean isFirstOnly,
    Pipelines pipelines)
    implements Processor {
  private static final String DATABASE = "GeoLite2-City.mmdb";

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    SourceField field = SourceField.of(config, config.type());
    String database = config.string("database_file", DATABASE);
    boolean isFirstOnly = config.flag("first_only", true);
    // Nothing is downloaded, now or later.
    boolean _ = config.flag("download_database_on_pipeline_creation", true);
    Set<IpProperty> properties = properties(config);
    IpDatabase known = parsing.pipelines().ipDatabase(database);
    if (known != null && properties != null) {
      IpDatabaseKind kind = kind(known, database);
      for (IpProperty property : properties) {
        if (!kind.tells(property)) {
          throw config.wrong(
              "properties",
              "illegal property value [" + property.label() + "] for a database of this kind");
        }
      }
    }
    return new IpLocationProcessor(
        config.type(), field, database, properties, isFirstOnly, parsing.pipelines());
  }

  private static @Nullable Set<IpProperty> properties(ProcessorConfig config) {
    if (config.take("properties") == null) {
      return null;
    }
    Set<IpProperty> properties = EnumSet.noneOf(IpProperty.class);
    for (String name : config.list("properties")) {
      IpProperty property =
          Arrays.stream(IpProperty.values())
              .filter(one -> one.name().equals(name.toUpperCase(Locale.ROOT)))
              .findFirst()
              .orElseThrow(() ->
                  config.wrong(
                      "properties",
                      "illegal property value ["
                          + name
                          + "]. valid values are "
                          + Arrays.toString(IpProperty.values())));
      properties.add(property);
    }
    return properties;
  }

  private static IpDatabaseKind kind(IpDatabase database, String file) {
    IpDatabaseKind kind = IpDatabaseKind.of(database.type());
    if (kind == null) {
      throw Refusal.badArgument(
          "Unsupported database type [" + database.type() + "] for file [" + file + "]");
    }
    return kind;
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode value = field.read(document, "cannot extract " + type + " information.");
    if (value == null) {
      return;
    }
    IpDatabase known = pipelines.ipDatabase(database);
    if (known == null) {
      document.append(
          FieldPath.of("tags"),
          TextNode.valueOf("_" + type + "_database_unavailable_" + database),
          false);
      return;
    }
    switch (value) {
      case TextNode text -> {
        ObjectNode told = told(known, text.asText());
        if (!told.isEmpty()) {
          field.write(document, told);
        }
      }
      case ArrayNode all -> each(document, known, all);
      default ->
          throw Refusal.badArgument(
              "field ["
                  + field.from().fill(document)
                  + "] should contain only string or array of strings");
    }
  }

  private void each(IngestDocument document, IpDatabase known, ArrayNode values) {
    ArrayNode told = Json.MAPPER.createArrayNode();
    boolean isFound = false;
    for (JsonNode value : values) {
      if (!value.isTextual()) {
        throw Refusal.badArgument(
            "array in field [" + field.from().fill(document) + "] should only contain strings");
      }
      ObjectNode one = told(known, value.asText());
      isFound |= !one.isEmpty();
      if (isFirstOnly && isFound) {
        field.write(document, one);
        return;
      }
      if (one.isEmpty()) {
        told.addNull();
      } else {
        told.add(one);
      }
    }
    if (isFound) {
      field.write(document, told);
    }
  }

  /// @return empty when the database has nothing
  private ObjectNode told(IpDatabase known, String ip) {
    IpDatabaseKind kind = kind(known, database);
    IpDatabase.Found found = known.find(Addresses.parse(ip));
    ObjectNode told = Json.object();
    if (!found.data().isEmpty()) {
      for (IpProperty property : properties == null ? kind.byDefault() : properties) {
        if (kind.tells(property)) {
          property.write(told, ip, found);
        }
      }
    }
    return told;
  }
}
