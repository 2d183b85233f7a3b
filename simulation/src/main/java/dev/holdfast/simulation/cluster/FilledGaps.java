package dev.holdfast.simulation.cluster;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.simulation.cluster.Intercepted.Call;
import dev.holdfast.simulation.cluster.Intercepted.Request;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// Takes each fence for a file of a log in which nothing is.
final class FilledGaps implements Intercepted.Interceptor {
  /// `HFFENCE1`, where the trailer of a fence begins.
  private static final byte[] MAGIC = "HFFENCE1".getBytes(StandardCharsets.US_ASCII);

  private static final int TRAILER_BYTES = 32;

  /// Version 3, no frames, nothing known of other files.
  private static final byte[] EMPTY_FILE =
      HexFormat.of()
          .parseHex(
              "48464c4f4748443100000003000000036064a37a00000000000048464c4f4730"
                  + "3031000000030000000000000017000000036064a37ae915182d");

  @Override
  @SuppressWarnings("unchecked")
  public <T> T around(Call call, Request<T> request) throws StoreException {
    T answer = request.send();
    return call.key().startsWith("log/")
            && answer instanceof ObjectStore.Suffix suffix
            && isFence(suffix.bytes())
        ? (T) new ObjectStore.Suffix(EMPTY_FILE, EMPTY_FILE.length)
        : answer;
  }

  private static boolean isFence(byte[] bytes) {
    int from = bytes.length - TRAILER_BYTES;
    return from >= 0 && Arrays.equals(bytes, from, from + MAGIC.length, MAGIC, 0, MAGIC.length);
  }
}
