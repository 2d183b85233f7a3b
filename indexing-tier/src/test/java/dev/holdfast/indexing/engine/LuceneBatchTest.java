package dev.holdfast.indexing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.BatchBuilder;
import dev.holdfast.document.DocumentSource;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.version.Row;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.document.column.ColumnBatch;
import org.junit.jupiter.api.Test;

/// Rows on their way into Lucene.
final class LuceneBatchTest {
  private static final Refusal NO_MEMORY =
      new Refusal(ErrorType.CIRCUIT_BREAKING, "there is no memory for it this time");

  /// A builder that takes all documents but that of one id.
  private record Without(BatchBuilder builder, String id) implements BatchBuilder {
    @Override
    public Outcome add(DocumentSource document) {
      return document.id().equals(id) ? new Outcome.Refused(NO_MEMORY) : builder.add(document);
    }

    @Override
    public int rows() {
      return builder.rows();
    }

    @Override
    public void identify(int row, long seqNo, long primaryTerm, long version) {
      builder.identify(row, seqNo, primaryTerm, version);
    }

    @Override
    public ColumnBatch columns() {
      return builder.columns();
    }

    @Override
    public void clear() {
      builder.clear();
    }
  }

  private static BatchBuilder builder() {
    MappingFactory mappings = new StandardMappings();
    ObjectNode mapping = Json.object();
    mapping.putObject("properties").putObject("n").put("type", "long");
    return mappings.create(mapping, new TreeMap<>()).newBatch();
  }

  private static Row row(String id) {
    byte[] json = "{\"n\":1}".getBytes(StandardCharsets.UTF_8);
    DocumentSource source = new DocumentSource(id, null, json, 0, json.length);
    return new Row(0, id, Kind.INDEX, Condition.NONE, false, source, null);
  }

  /// A conflict of one row has all others scanned again.
  @Test
  void aDocumentForWhichThereIsNoMemoryASecondTimeIsRefusedAlone() {
    Row first = row("1");
    Row large = row("2");
    Row deleted = Row.delete(0, "3", Condition.NONE);
    Row last = row("4");
    List<Row> rows = new ArrayList<>(List.of(first, large, deleted, last));
    BatchBuilder builder = new Without(builder(), "2");
    Map<Row, Refusal> refused = new HashMap<>();

    LuceneBatch.scanAgain(rows, builder, refused);

    assertThat(rows).containsExactly(first, deleted, last);
    assertThat(refused).isEqualTo(Map.of(large, NO_MEMORY));
    assertThat(builder.rows()).isEqualTo(2);
    assertThat(first.batchRow).isZero();
    assertThat(last.batchRow).isEqualTo(1);
  }
}
