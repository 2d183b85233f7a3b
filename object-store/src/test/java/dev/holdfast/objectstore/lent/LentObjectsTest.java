package dev.holdfast.objectstore.lent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Objects that are read where their bytes lie until their copies are there.
final class LentObjectsTest {
  private final ObjectStore store = new MemoryStore();
  private final Map<String, String> lenders = new HashMap<>(Map.of("copy", "origin"));
  private final ObjectStore lent =
      new LentObjects(store, key -> Optional.ofNullable(lenders.get(key)));

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private void put(String key, int... values) throws Exception {
    store.put(key, ObjectBody.of(bytes(values)));
  }

  @Test
  void theLenderIsReadAlsoWhileHalfACopyIsSeen() throws Exception {
    put("origin", 1, 2, 3);
    assertThat(lent.getRange("copy", 1, 2)).isEqualTo(bytes(2, 3));
    put("copy", 1);
    assertThat(lent.getRange("copy", 1, 2)).isEqualTo(bytes(2, 3));
    assertThat(lent.getSuffix("copy", 1).objectLength()).isEqualTo(3);
  }

  /// Who reads may know an older state than who has let the lender go.
  @Test
  void theCopyIsReadWhenTheLenderIsGone() throws Exception {
    put("copy", 1, 2, 3);
    assertThat(lent.getRange("copy", 0, 3)).isEqualTo(bytes(1, 2, 3));
    assertThat(lent.getSuffix("copy", 3).bytes()).isEqualTo(bytes(1, 2, 3));
    lent.copy("copy", "third");
    assertThat(store.getRange("third", 0, 3)).isEqualTo(bytes(1, 2, 3));
  }

  @Test
  void whatIsCopiedOfALentObjectHasTheLendersBytes() throws Exception {
    put("origin", 1, 2, 3);
    lent.copy("copy", "third");
    assertThat(store.getRange("third", 0, 3)).isEqualTo(bytes(1, 2, 3));
  }

  @Test
  void listsAndDeletionsAreOfWhatIsThere() throws Exception {
    put("origin", 1, 2, 3);
    assertThat(lent.list("copy", "", 10)).isEmpty();
    lent.deleteAll(List.of("copy"));
    assertThat(lent.getRange("copy", 0, 3)).isEqualTo(bytes(1, 2, 3));
    lenders.clear();
    assertThatThrownBy(() -> lent.getRange("copy", 0, 3))
        .isInstanceOf(StoreException.NotFound.class);
  }
}
