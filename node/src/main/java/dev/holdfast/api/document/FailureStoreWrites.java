package dev.holdfast.api.document;

import dev.holdfast.api.indices.FailureDocuments;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.NewIndexName;
import dev.holdfast.api.indices.template.StreamTemplate;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.clusterstate.stream.FailureStore;
import dev.holdfast.document.Routing;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Brings documents that pipelines or mappings refused into the failure stores of their data
/// streams. A failure document is durable when this returns, like any other write.
///
/// Only what is wrong with the document itself is kept: a conflict, an overload and a shard that
/// does not answer are for the sender, who may try again (and after the last of them the document
/// may be in its index).
public final class FailureStoreWrites {
  /// Of the failed documents of a request, how much is copied into failure documents at once.
  private static final long PART_BYTES_MAX = 16 << 20;

  private final WriteRequests writes;
  private final Metadata metadata;
  private final IndexCreation creation;

  FailureStoreWrites(WriteRequests writes, Metadata metadata, IndexCreation creation) {
    this.writes = writes;
    this.metadata = metadata;
    this.creation = creation;
  }

  /// Keeps the documents whose streams want that.
  ///
  /// @param written gets the shards that were written to
  /// @return for each document, by its position, what became of it
  public Map<Integer, FailureStored> store(
      Collection<FailedDocument> documents, Collection<ShardId> written)
      throws InterruptedException {
    Map<Integer, FailureStored> stored = new HashMap<>();
    Map<String, List<FailedDocument>> byStream = new LinkedHashMap<>();
    for (FailedDocument document : documents) {
      Target target = target(document);
      if (target.status == FailureStored.Status.USED) {
        byStream.computeIfAbsent(target.stream, _ -> new ArrayList<>()).add(document);
      } else {
        stored.put(
            document.position(), FailureStored.refused(target.status, document, document.why()));
      }
    }
    for (Map.Entry<String, List<FailedDocument>> one : byStream.entrySet()) {
      for (List<FailedDocument> part : parts(one.getValue())) {
        stored.putAll(storePart(one.getKey(), part, written));
      }
    }
    return stored;
  }

  /// @param status USED when the document is to go to the stream's failure store
  private record Target(FailureStored.Status status, String stream) {}

  private Target target(FailedDocument document) {
    Target none = new Target(FailureStored.Status.NOT_APPLICABLE, "");
    if (!isOfDocument(document.why())) {
      return none;
    }
    ClusterState state = metadata.current();
    String name = DateMathNames.resolve(document.name(), writes.world().clock().epochMillis());
    DataStream stream = DataStreams.written(state, name);
    if (stream != null) {
      return target(FailureStore.isEnabled(state, stream), stream.name());
    }
    StreamTemplate template =
        IndexExpression.targets(state, name).isEmpty() ? StreamTemplate.of(state, name) : null;
    return template == null
        ? none
        : target(FailureStore.isEnabled(state, name, template.options()), name);
  }

  private static Target target(boolean isEnabled, String stream) {
    return new Target(
        isEnabled ? FailureStored.Status.USED : FailureStored.Status.NOT_ENABLED, stream);
  }

  private static boolean isOfDocument(Refusal why) {
    return why.status() == 400
        && why.type() != ErrorType.INDEX_CLOSED
        && why.type() != ErrorType.TASK_CANCELLED;
  }

  private static List<List<FailedDocument>> parts(List<FailedDocument> documents) {
    List<List<FailedDocument>> parts = new ArrayList<>();
    int from = 0;
    long bytes = 0;
    for (int i = 0; i < documents.size(); i++) {
      if (i > from && bytes + documents.get(i).length() > PART_BYTES_MAX) {
        parts.add(documents.subList(from, i));
        from = i;
        bytes = 0;
      }
      bytes += documents.get(i).length();
    }
    parts.add(documents.subList(from, documents.size()));
    return parts;
  }

  private Map<Integer, FailureStored> storePart(
      String stream, List<FailedDocument> documents, Collection<ShardId> written)
      throws InterruptedException {
    WriteResult[] results = new WriteResult[documents.size()];
    IndexMetadata index = null;
    try {
      index = index(stream);
      Map<ShardId, List<WriteOperation>> byShard = operations(index, documents, results);
      writes.write(byShard, results);
      written.addAll(byShard.keySet());
    } catch (Refusal | IOException e) {
      for (int i = 0; i < results.length; i++) {
        results[i] =
            results[i] == null ? new WriteResult.Refused("", ErrorBody.refusal(e)) : results[i];
      }
    }
    Map<Integer, FailureStored> stored = new HashMap<>();
    for (int i = 0; i < results.length; i++) {
      FailedDocument document = documents.get(i);
      stored.put(document.position(), stored(document, index, results[i]));
    }
    return stored;
  }

  private static FailureStored stored(
      FailedDocument document, @Nullable IndexMetadata index, WriteResult result) {
    return switch (result) {
      case WriteResult.Done _ -> new FailureStored(FailureStored.Status.USED, index, result);
      case WriteResult.Refused refused ->
          FailureStored.refused(
              FailureStored.Status.FAILED, document, document.why().suppressing(refused.refusal()));
    };
  }

  /// @param results gets those that cannot be written as a failure document
  private Map<ShardId, List<WriteOperation>> operations(
      IndexMetadata index, List<FailedDocument> documents, WriteResult[] results) {
    Map<ShardId, List<WriteOperation>> byShard = new LinkedHashMap<>();
    for (int i = 0; i < documents.size(); i++) {
      try {
        byte[] bytes = bytes(documents.get(i));
        String id = writes.world().ids().documentId();
        WriteOperation operation =
            new WriteOperation(
                i,
                WriteOperation.Kind.CREATE,
                id,
                true,
                null,
                bytes,
                0,
                bytes.length,
                WriteOperation.Condition.NONE,
                0);
        int number = Routing.shard(id, null, index.layout(), index.settings());
        byShard
            .computeIfAbsent(new ShardId(index.id(), number), _ -> new ArrayList<>())
            .add(operation);
      } catch (IOException e) {
        Refusal why =
            new Refusal(ErrorType.JSON_PARSE, "the failed document is no JSON: " + e.getMessage());
        results[i] = new WriteResult.Refused("", why);
      }
    }
    return byShard;
  }

  private byte[] bytes(FailedDocument document) throws IOException {
    return FailureDocuments.bytes(
        writes.world().clock().epochMillis(),
        new FailureDocuments.Document(
            document.name(),
            document.id(),
            document.routing(),
            document.bytes(),
            document.offset(),
            document.length()),
        document.why(),
        document.place());
  }

  /// The index that failures of a stream are written to; the stream and the index are made when
  /// there is none.
  private IndexMetadata index(String name) throws InterruptedException {
    if (DataStreams.of(metadata.current(), name) == null) {
      IndexMetadata _ = creation.createIfAbsent(NewIndexName.plain(name));
    }
    DataStream stream = DataStreams.of(metadata.current(), name);
    if (stream == null) {
      throw Refusal.indexNotFound(name);
    }
    IndexMetadata index =
        stream.rollsOverOnWrite(Component.FAILURES)
            ? creation.streams().rollOver(stream, Component.FAILURES, null)
            : metadata
                .current()
                .indices()
                .get(Objects.requireNonNull(stream.writeIndex(Component.FAILURES)));
    if (index == null) {
      throw Refusal.indexNotFound(name);
    }
    IndexBlocks.requireWritable(index);
    return index;
  }
}
