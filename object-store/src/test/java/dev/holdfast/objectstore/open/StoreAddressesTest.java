package dev.holdfast.objectstore.open;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.objectstore.StoreException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StoreAddressesTest {
  @Test
  void aSecretInAUrlIsRefusedAndNotSaidAgain() {
    assertThatThrownBy(() -> check("s3://user:pass@bucket/prefix", Map.of()))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("holds a user or password")
        .hasMessageNotContaining("pass@");
    assertThatThrownBy(
            () -> check("s3://b", Map.of("store.s3.endpoint", "http://user:secret@host:9000")))
        .hasMessageContaining("[store.s3.endpoint] holds a user or password")
        .hasMessageNotContaining("secret");
  }

  @Test
  void whatIsNoUrlIsSaidInOneLine() {
    for (String endpoint :
        new String[] {"notaurl", "localhost:9000", "ftp://host", "http://", "a b"}) {
      assertThatThrownBy(() -> check("s3://b", Map.of("store.s3.endpoint", endpoint)))
          .isInstanceOf(StoreException.Denied.class)
          .hasMessageContaining("setting [store.s3.endpoint] is no URL")
          .hasMessageContaining("[" + endpoint + "]");
    }
    assertThatCode(() -> check("s3://b/a@b", Map.of("store.s3.endpoint", "http://127.0.0.1:9000")))
        .doesNotThrowAnyException();
    assertThatCode(() -> check("file:/data/me@home", Map.of())).doesNotThrowAnyException();
  }

  private static void check(String url, Map<String, String> options) throws StoreException {
    StoreAddresses.check(url, new TreeMap<>(options));
  }
}
