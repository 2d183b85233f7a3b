package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.script.StoredScripts;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.ingest.EnrichQuestion;
import dev.holdfast.document.ingest.IngestPipeline;
import dev.holdfast.document.ingest.IpDatabase;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Pipelines;
import dev.holdfast.document.ingest.file.FileParser;
import dev.holdfast.document.ingest.processor.Processors;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The pipelines of the cluster state, each made once a version of them all.
public final class StoredPipelines implements Pipelines {
  /// The kind of metadata that pipelines are: definitions by id.
  private static final String CUSTOM = "pipelines";

  private static final JsonNode NONE = Json.object();

  private final Metadata metadata;
  private final IngestSources sources;
  private final PipelineParser parser;
  private volatile Made made = new Made(Json.object(), new ConcurrentHashMap<>());

  public StoredPipelines(Metadata metadata, Clock clock, IngestSources sources) {
    this.metadata = metadata;
    this.sources = sources;
    this.parser = new PipelineParser(Processors.all(), this, clock);
  }

  /// Pipelines that were needed so far, of one version of all definitions.
  private record Made(JsonNode definitions, Map<String, IngestPipeline> byId) {}

  PipelineParser parser() {
    return parser;
  }

  /// All of a state, by id, with those that are always there.
  public static SortedMap<String, ObjectNode> definitions(ClusterState state) {
    SortedMap<String, ObjectNode> definitions = new TreeMap<>(BuiltInPipelines.all());
    JsonNode kept = state.customs().get(CUSTOM);
    if (kept != null) {
      kept.properties().forEach(e -> definitions.put(e.getKey(), (ObjectNode) e.getValue()));
    }
    return definitions;
  }

  static ClusterState with(ClusterState state, SortedMap<String, ObjectNode> definitions) {
    ObjectNode kept = Json.object();
    definitions.forEach((id, definition) -> {
      if (!BuiltInPipelines.isOwn(id, definition)) {
        kept.set(id, definition);
      }
    });
    return state.withCustom(CUSTOM, kept);
  }

  @Override
  public @Nullable JsonNode storedScript(String id) {
    return StoredScripts.find(metadata.current(), id);
  }

  @Override
  public void requireEnrich(String policy) {
    sources.enrich().require(policy);
  }

  @Override
  public @Nullable IpDatabase ipDatabase(String file) {
    return sources.databases().find(file);
  }

  @Override
  public List<ObjectNode> enriched(EnrichQuestion question) {
    return sources.enrich().find(question);
  }

  @Override
  public FileParser fileParser() {
    return sources.files();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // one version of the definitions is one object
  public @Nullable IngestPipeline find(String id) {
    JsonNode definitions = metadata.current().customs().getOrDefault(CUSTOM, NONE);
    ObjectNode definition =
        definitions.get(id) instanceof ObjectNode own ? own : BuiltInPipelines.find(id);
    if (definition == null) {
      return null;
    }
    Made now = made;
    if (now.definitions() != definitions) {
      now = new Made(definitions, new ConcurrentHashMap<>());
      made = now;
    }
    IngestPipeline known = now.byId().get(id);
    if (known == null) {
      known = parser.pipeline(id, definition);
      now.byId().put(id, known);
    }
    return known;
  }
}
