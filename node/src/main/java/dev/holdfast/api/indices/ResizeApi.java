package dev.holdfast.api.indices;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.CopiedSource;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.indices.settings.IndexSettings;
import dev.holdfast.api.indices.settings.SettingWarnings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.index.IndexWriter;
import org.jspecify.annotations.Nullable;

/// `_clone`, `_split`, `_shrink`: an index with the documents of another and as many, more or fewer
/// shards. The new shards begin with what the store holds of the old ones; no document is read.
public final class ResizeApi {
  private static final String SHARDS = "index.number_of_shards";
  private static final int ROUTING_SHARDS_MAX = 1024;

  /// What is never copied from the source.
  private static final List<String> OWN =
      List.of(
          "index.uuid",
          "index.creation_date",
          "index.provided_name",
          SHARDS,
          "index.number_of_routing_shards");

  /// What says how the documents that are there were written: it can't be given anew.
  private static final List<String> HOW_WRITTEN =
      List.of(
          "index.mapping.source.mode",
          "index.mapping.synthetic_source_keep",
          "index.mode",
          TimeSeries.PATH,
          TimeSeries.START,
          "index.sort.field",
          "index.sort.order",
          "index.sort.mode",
          "index.sort.missing");

  private final Metadata metadata;
  private final IndexCreation creation;
  private final IndexingShards indexing;
  private final ClosedSource closed;

  /// @param store the cluster's own
  public ResizeApi(
      World world,
      Metadata metadata,
      IndexCreation creation,
      IndexingShards indexing,
      ObjectStore store) {
    this.closed = new ClosedSource(world, store);
    this.metadata = metadata;
    this.creation = creation;
    this.indexing = indexing;
  }

  /// What is done with the shards.
  public enum Kind {
    CLONE,
    SPLIT,
    SHRINK
  }

  public Api of(Kind kind) {
    return request -> resize(kind, request);
  }

  private Answer resize(Kind kind, ApiRequest request) throws Exception {
    String name = request.required("index");
    // Shrinking counts the documents of shards, which nobody has open.
    IndexMetadata source =
        kind == Kind.SHRINK
            ? SingleIndex.of(metadata.current(), name, false)
            : SingleIndex.openOrClosed(metadata.current(), name);
    if (kind == Kind.SPLIT && TimeSeries.is(source.settings())) {
      throw Refusal.badArgument(
          "index-split is not supported because the destination index ["
              + source.id().name()
              + "] is in time_series mode");
    }
    if (kind == Kind.SHRINK && source.shards() == 1) {
      throw Refusal.badArgument("can't shrink an index with only one shard");
    }
    JsonObject body = JsonObject.ofValues("resize_request", request.body().kept());
    SortedMap<String, Object> given = new TreeMap<>();
    JsonObject settings = body.object("settings");
    if (settings != null) {
      given.putAll(IndexSettings.read(settings.node()));
    }
    JsonObject aliases = body.object("aliases");
    ShrunkenSize size = ShrunkenSize.read(body);
    body.done();
    given.remove(SHARDS, IndexSettings.Reset.RESET); // as if nothing was said
    IndexSettings.check(given);
    IndexSettings.requirePublic(given);
    requireWrittenAlike(given);
    boolean mayRoute = kind == Kind.SPLIT && source.shards() == 1;
    if (given.containsKey("index.number_of_routing_shards") && !mayRoute) {
      throw Refusal.badArgument("cannot provide index.number_of_routing_shards on resize");
    }
    int shards = shards(kind, source, given, size);
    requireBlocked(source);
    ObjectNode named = aliases == null ? Json.object() : aliases.node();
    IndexMetadata target = made(source, request.required("target"), shards, given, named);
    boolean isOpen =
        CreateIndexApi.isWaitedFor(request, indexing, target)
            && CreateIndexApi.reaches(target, indexing::refresh); // searches see all from now on
    Answer answer =
        Answer.of(out -> {
          out.writeStartObject();
          out.writeBooleanField("acknowledged", true);
          out.writeBooleanField("shards_acknowledged", isOpen);
          out.writeStringField("index", target.id().name());
          out.writeEndObject();
        });
    Answer warned = SettingWarnings.warn(answer, given.keySet());
    return size == null || kind == Kind.SHRINK
        ? warned
        : warned.warn("[max_primary_shard_size] has no effect: it is of shrinking only");
  }

  /// Makes an index with fewer shards of one that is written to no more.
  ///
  /// @param given settings over those of the source
  public IndexMetadata shrunken(
      IndexMetadata source, String target, int shards, SortedMap<String, Object> given)
      throws IOException, InterruptedException {
    requireFactor(shards < source.shards(), source.shards(), shards, Kind.SHRINK);
    requireBlocked(source);
    return made(source, target, shards, given, Json.object());
  }

  private IndexMetadata made(
      IndexMetadata source,
      String target,
      int shards,
      SortedMap<String, Object> given,
      ObjectNode aliases)
      throws IOException, InterruptedException {
    closed.awaitCopied(metadata, source);
    given.put(SHARDS, Integer.toString(shards));
    given.put("index.resize.source.name", source.id().name());
    given.put("index.resize.source.uuid", source.id().uuid());
    ClusterState withBlock = metadata.current();
    if (source.isOpen()) {
      for (int number = 0; number < source.shards(); number++) {
        indexing.flush(new ShardId(source.id(), number), withBlock.version());
      }
    } else {
      closed.requireWhole(withBlock, source);
    }
    if (shards < source.shards()) {
      requireRoom(source, shards, documents(source));
    }
    return creation.createAs(
        target,
        settings(source, given),
        source.mapping(),
        aliases,
        (state, index) -> CopiedSource.noted(begun(state, index, source, given), source));
  }

  private static SortedMap<String, Object> settings(
      IndexMetadata source, SortedMap<String, Object> given) {
    SortedMap<String, Object> merged = new TreeMap<>(source.settings());
    merged.keySet().removeAll(OWN);
    // What is made of a mounted index is an index like others.
    if (merged.keySet().removeIf(name -> name.startsWith(IndexSettings.MOUNTED))) {
      merged.remove("index.store.type");
    }
    merged.put("index.number_of_replicas", "1");
    merged.putAll(given);
    merged.values().removeIf(value -> value == IndexSettings.Reset.RESET);
    return merged;
  }

  private static void requireWrittenAlike(SortedMap<String, Object> given) {
    for (String name : HOW_WRITTEN) {
      if (given.containsKey(name)) {
        throw Refusal.badArgument("can't change setting [" + name + "] during resize operation");
      }
    }
  }

  /// Of each shard, those deleted and not merged away included.
  private List<Long> documents(IndexMetadata source) throws IOException {
    List<Long> documents = new ArrayList<>();
    for (int number = 0; number < source.shards(); number++) {
      ShardStats stats = indexing.stats(new ShardId(source.id(), number));
      documents.add(stats.documents() + stats.deletedDocuments());
    }
    return documents;
  }

  /// Lucene has a bound for the documents of a shard.
  static void requireRoom(IndexMetadata source, int shards, List<Long> documents) {
    IndexOrigin origin = new IndexOrigin(source.id().uuid(), source.shards());
    for (int number = 0; number < shards; number++) {
      List<ShardId> all =
          origin.sources(number, shards).stream()
              .map(shard -> new ShardId(source.id(), shard.number()))
              .toList();
      long sum = all.stream().mapToLong(shard -> documents.get(shard.number())).sum();
      if (sum > IndexWriter.MAX_DOCS) {
        throw new Refusal(
            ErrorType.ILLEGAL_STATE_OF_REQUEST,
            "Can't merge index with more than ["
                + IndexWriter.MAX_DOCS
                + "] docs - too many documents in shards "
                + all);
      }
    }
  }

  /// The index with its origin, which must still be there and blocked, and with the settings and
  /// the mapping that the origin has now. Primary terms go on from those of the origin's shards,
  /// which documents carry.
  ///
  /// @param from the origin as the number of shards of the index was found to fit it
  static IndexMetadata begun(
      ClusterState state,
      IndexMetadata index,
      IndexMetadata from,
      SortedMap<String, Object> given) {
    IndexMetadata source = state.indices().get(from.id().name());
    if (source == null || !source.id().equals(from.id())) {
      throw Refusal.indexNotFound(from.id().name());
    }
    requireBlocked(source);
    ClosedSource.requireCopied(source);
    if (source.shards() != from.shards()) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          "index ["
              + source.id().name()
              + "] has got ["
              + source.shards()
              + "] shards instead of ["
              + from.shards()
              + "] meanwhile, ask again");
    }
    IndexOrigin origin = new IndexOrigin(source.id().uuid(), source.shards());
    List<Long> terms = new ArrayList<>();
    for (int number = 0; number < index.shards(); number++) {
      long term = 0;
      for (ShardId begins : origin.sources(number, index.shards())) {
        term = Math.max(term, source.primaryTerms().get(begins.number()));
      }
      terms.add(term);
    }
    SortedMap<String, Object> settings = settings(source, given);
    for (String name : OWN) {
      Object own = index.settings().get(name);
      if (own != null) {
        settings.put(name, own);
      }
    }
    return index.withSettings(settings).withMapping(source.mapping()).withOrigin(origin, terms);
  }

  private static void requireBlocked(IndexMetadata source) {
    IndexSplit split = source.split();
    if (split != null && split.isUnderWay(source.shards())) {
      throw OnlineSplit.underWay(source);
    }
    boolean isBlocked =
        !source.isOpen()
            || IndexBlocks.of(source).stream().anyMatch(block -> block.levels().contains("write"));
    if (!isBlocked) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          "index "
              + source.id().name()
              + " must be read-only to resize index. use \"index.blocks.write=true\"");
    }
  }

  private int shards(
      Kind kind, IndexMetadata source, SortedMap<String, Object> given, @Nullable ShrunkenSize size)
      throws IOException {
    Object asked = given.get(SHARDS);
    int before = source.shards();
    if (kind == Kind.SHRINK && size != null) {
      if (asked != null) {
        throw Refusal.badArgument(
            "Cannot set both index.number_of_shards and max_primary_shard_size for the target"
                + " index");
      }
      return size.shards(indexing, source);
    }
    int shards =
        asked == null ? kind == Kind.CLONE ? before : 1 : IndexCreation.wholeNumber(SHARDS, asked);
    if (kind == Kind.SPLIT && asked == null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: index.number_of_shards is required for split operations;");
    }
    switch (kind) {
      case CLONE -> {
        if (shards != before) {
          throw Refusal.badArgument(
              "the number of target shards ("
                  + shards
                  + ") must be the same as the number of  source shards ( "
                  + before
                  + ")");
        }
      }
      case SHRINK -> requireFactor(shards <= before && shards > 0, before, shards, kind);
      case SPLIT -> {
        requireFactor(shards >= before, shards, before, kind);
        requireRoutingSlots(source, shards);
      }
    }
    return shards;
  }

  private static void requireFactor(boolean isRightWay, int many, int few, Kind kind) {
    int source = kind == Kind.SPLIT ? few : many;
    int target = kind == Kind.SPLIT ? many : few;
    if (!isRightWay) {
      throw Refusal.badArgument(
          "the number of source shards ["
              + source
              + "] must be "
              + (kind == Kind.SPLIT ? "less" : "greater")
              + " that the number of target shards ["
              + target
              + "]");
    }
    if (many % few != 0) {
      throw Refusal.badArgument(
          "the number of source shards ["
              + source
              + "] must be a "
              + (kind == Kind.SPLIT ? "factor" : "multiple")
              + " of ["
              + target
              + "]");
    }
  }

  /// Refuses more shards than an index was made to be split into.
  static void requireRoutingSlots(IndexMetadata source, int shards) {
    Object slots = source.settings().get("index.number_of_routing_shards");
    int max =
        slots == null
            ? ROUTING_SHARDS_MAX
            : IndexCreation.wholeNumber("index.number_of_routing_shards", slots);
    if (slots != null && (max % shards != 0 || shards > max)) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          String.format(
              Locale.ROOT,
              "the number of routing shards [%d] must be a multiple of the target shards [%d]",
              max,
              shards));
    }
  }
}
