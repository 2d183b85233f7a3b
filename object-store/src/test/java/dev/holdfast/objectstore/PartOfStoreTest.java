package dev.holdfast.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// A part of a store keeps the contract, whatever lies beside it.
final class PartOfStoreTest implements ObjectStoreContract {
  private final MemoryStore whole = new MemoryStore();

  @Override
  public ObjectStore store() throws StoreException {
    for (String neighbour : new String[] {"a", "part-0/a", "part.a", "part/b0", "z"}) {
      whole.put(neighbour, ObjectBody.of(new byte[] {1}));
    }
    return new PartOfStore(whole, "part/b/");
  }

  @Test
  void liesInTheWhole() throws Exception {
    ObjectStore part = store();
    part.put("key", ObjectBody.of("value".getBytes(StandardCharsets.UTF_8)));

    assertThat(whole.get("part/b/key")).isPresent();
    assertThat(part.list("", "", 10)).singleElement().matches(one -> one.key().equals("key"));
    assertThat(part.name()).isEqualTo(whole.name() + "/part/b");
  }
}
