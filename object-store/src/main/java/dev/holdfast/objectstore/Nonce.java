package dev.holdfast.objectstore;

import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.world.CorruptObjectException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The name of one try of a compare-and-set, kept in the object's metadata: it tells our own
/// earlier success from another's, and two writes of the same bytes apart. A version is the
/// provider's token, `#`, and the nonce; the version of a plain object is the provider's token.
public final class Nonce {
  private Nonce() {}

  public static Version version(String providers, @Nullable String nonce) {
    return new Version(nonce == null ? providers : providers + "#" + nonce);
  }

  /// The provider's part of `version`.
  public static String providers(Version version) {
    int mark = version.token().indexOf('#');
    return mark < 0 ? version.token() : version.token().substring(0, mark);
  }

  /// The bytes behind the nonce, for a provider whose token is a hash of the content.
  public static ObjectBody mark(String nonce, byte[] bytes) {
    byte[] head = nonce.getBytes(StandardCharsets.US_ASCII);
    byte[] marked = Arrays.copyOf(head, head.length + bytes.length);
    System.arraycopy(bytes, 0, marked, head.length, bytes.length);
    return ObjectBody.of(marked);
  }

  /// What [#mark] was given.
  ///
  /// @param providers version of the object, by which it can be replaced when it is damaged
  public static byte[] strip(String key, String providers, String nonce, byte[] marked)
      throws StoreException {
    byte[] head = nonce.getBytes(StandardCharsets.US_ASCII);
    if (marked.length < head.length
        || !Arrays.equals(marked, 0, head.length, head, 0, head.length)) {
      throw StoreException.Denied.damaged(
          "register damaged: wrong nonce [key=" + key + "]",
          new CorruptObjectException(key, "wrong nonce"),
          version(providers, nonce));
    }
    return Arrays.copyOfRange(marked, head.length, marked.length);
  }
}
