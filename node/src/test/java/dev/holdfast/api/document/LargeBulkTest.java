package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.indexing.operation.WriteOperation;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A bulk that no node admits whole reaches its shard in parts.
final class LargeBulkTest {
  private static WriteOperation document(int position, int bytes) {
    return new WriteOperation(
        position,
        WriteOperation.Kind.INDEX,
        "d" + position,
        false,
        null,
        new byte[0],
        0,
        bytes,
        WriteOperation.Condition.NONE,
        0);
  }

  private static List<List<Integer>> parts(int bytesMax, int... sizes) {
    List<WriteOperation> operations =
        IntStream.range(0, sizes.length).mapToObj(i -> document(i, sizes[i])).toList();
    return WriteParts.of(operations, bytesMax).stream()
        .map(part -> part.stream().map(WriteOperation::position).toList())
        .toList();
  }

  @Test
  void partsHoldEveryOperationInOrder() {
    assertThat(parts(100, 40, 60, 1, 99, 1))
        .isEqualTo(List.of(List.of(0, 1), List.of(2, 3), List.of(4)));
    assertThat(parts(100, 500, 10, 500)).isEqualTo(List.of(List.of(0), List.of(1), List.of(2)));
    assertThat(parts(100, 10, 20, 30)).isEqualTo(List.of(List.of(0, 1, 2)));
    assertThat(parts(100, 1)).isEqualTo(List.of(List.of(0)));
  }
}
