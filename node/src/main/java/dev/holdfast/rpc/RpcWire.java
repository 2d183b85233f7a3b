package dev.holdfast.rpc;

import com.github.luben.zstd.Zstd;
import dev.holdfast.world.ByteSize;
import java.io.IOException;
import java.util.function.LongConsumer;

/// How a call looks in HTTP: `POST /_internal/<call>`; 200 with the answer, [#REFUSED] with a
/// refusal, [#FAILED] with the message of any other failure.
final class RpcWire {
  static final String PATH = "/_internal/";

  /// Names the compression of a body.
  static final String ENCODING = "x-holdfast-encoding";

  static final String ZSTD = "zstd";

  /// Who calls: [Signature.Head#from].
  static final String FROM = "x-holdfast-from";

  /// Proof of the head of a call.
  static final String HEAD_PROOF = "x-holdfast-head";

  /// Proof of the body of a call, or of an answer.
  static final String BODY_PROOF = "x-holdfast-body";

  /// The other node refused: the body is a [RefusalJson].
  static final int REFUSED = 460;

  /// The other node failed: the body is a message.
  static final int FAILED = 560;

  private static final int ZSTD_LEVEL = 1;

  private RpcWire() {}

  static boolean isWorthCompressing(byte[] body, RpcConfig config) {
    return config.isCompressed() && body.length >= RpcConfig.COMPRESSED_BYTES_MIN;
  }

  static byte[] compressed(byte[] body) {
    return Zstd.compress(body, ZSTD_LEVEL);
  }

  /// @param max a longer body is refused
  /// @param budget is asked for as many bytes before they are allocated
  static byte[] decompressed(byte[] body, ByteSize max, LongConsumer budget) throws IOException {
    long size = Zstd.getFrameContentSize(body);
    if (size < 0 || size > max.bytes()) {
      throw new IOException("a compressed body is broken or too long [bytes=" + size + "]");
    }
    budget.accept(size);
    byte[] whole = new byte[(int) size];
    long written = Zstd.decompress(whole, body);
    if (Zstd.isError(written) || written != size) {
      throw new IOException("a compressed body is broken [bytes=" + size + "]");
    }
    return whole;
  }
}
