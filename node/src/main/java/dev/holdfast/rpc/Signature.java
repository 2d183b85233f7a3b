package dev.holdfast.rpc;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Proofs that what travels between nodes was written by who knows the secret of the cluster:
/// HMAC-SHA256. A call has two: one of its head, which is checked before any of its body is read,
/// and one of its body, which is checked before it is inflated. Its answer has one. Whom a call is
/// meant for is in the body.
///
/// @param secret of the cluster
@SuppressWarnings("ArrayRecordComponent") // never compared
record Signature(byte[] secret) {
  private static final String ALGORITHM = "HmacSHA256";

  /// What a call says of itself before its body.
  ///
  /// @param caller a name that one process has given itself
  /// @param number of the call; grows
  record Head(String call, String caller, long number, boolean isCompressed) {
    private static final int CALLER_MAX = 64;

    /// As it travels.
    String from() {
      return caller + ":" + number;
    }

    /// Null when it is none.
    static @Nullable Head of(String call, @Nullable String from, boolean isCompressed) {
      int colon = from == null ? -1 : from.indexOf(':');
      if (from == null || colon < 1 || colon > CALLER_MAX) {
        return null;
      }
      try {
        long number = Long.parseLong(from, colon + 1, from.length(), 10);
        return new Head(call, from.substring(0, colon), number, isCompressed);
      } catch (NumberFormatException e) {
        return null;
      }
    }
  }

  byte[] of(Head head) {
    return mac(
        "call\n" + head.call + "\n" + head.from() + "\n" + head.isCompressed, NOTHING, NOTHING);
  }

  byte[] ofBody(byte[] head, byte[] body) {
    return mac("body\n", head, body);
  }

  byte[] ofAnswer(byte[] head, int status, boolean isCompressed, byte[] body) {
    return mac("answer\n" + status + "\n" + isCompressed + "\n", head, body);
  }

  private static final byte[] NOTHING = new byte[0];

  private byte[] mac(String text, byte[] head, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update(text.getBytes(StandardCharsets.UTF_8));
      mac.update(head);
      mac.update(body);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + ALGORITHM, e);
    }
  }

  static String text(byte[] mac) {
    return Base64.getEncoder().encodeToString(mac);
  }

  /// Whether `given` is that proof; takes the same time wherever they differ.
  static boolean isEqual(byte[] mac, @Nullable String given) {
    return given != null
        && MessageDigest.isEqual(
            text(mac).getBytes(StandardCharsets.US_ASCII),
            given.getBytes(StandardCharsets.US_ASCII));
  }
}
