package dev.holdfast.compoundcommit.call;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.jspecify.annotations.Nullable;

/// Errors for clients, as a part of other answers: type, reason, members and causes.
public final class RefusalCodec implements Codec<Refusal> {
  public static final RefusalCodec INSTANCE = new RefusalCodec();

  /// Causes of causes beyond this are left out.
  private static final int CAUSES_MAX = 5;

  private RefusalCodec() {}

  /// Any failure as a client would see it.
  public static Refusal of(Throwable failure) {
    CorruptObjectException damage = CorruptObjectException.in(failure);
    if (damage != null && !(failure instanceof Refusal)) {
      return Refusal.corrupt(damage);
    }
    return switch (failure) {
      case Refusal refusal -> refusal;
      case IOException e -> new Refusal(ErrorType.IO, String.valueOf(e.getMessage()), e.getCause());
      case IllegalArgumentException e ->
          new Refusal(ErrorType.ILLEGAL_ARGUMENT, String.valueOf(e.getMessage()), e.getCause());
      default -> new Refusal(ErrorType.INTERNAL, failure.toString(), failure.getCause());
    };
  }

  @Override
  public void write(DataOutput out, Refusal refusal) throws IOException {
    write(out, refusal, CAUSES_MAX);
  }

  private static void write(DataOutput out, Refusal refusal, int causesLeft) throws IOException {
    out.writeString(refusal.type().name());
    out.writeString(refusal.reason());
    Wire.writeFlag(out, refusal.isWrapper());
    Wire.writeBytes(out, Json.MAPPER.writeValueAsBytes(refusal.metadata()));
    Throwable cause = causesLeft == 0 ? null : refusal.getCause();
    Wire.writeFlag(out, cause != null);
    if (cause != null) {
      write(out, of(cause), causesLeft - 1);
    }
  }

  @Override
  public Refusal read(DataInput in) throws IOException {
    ErrorType type = ErrorType.valueOf(in.readString());
    String reason = in.readString();
    boolean isWrapper = Wire.readFlag(in);
    byte[] members = Wire.readBytes(in);
    Map<String, Object> metadata =
        members == null
            ? new LinkedHashMap<>()
            : Json.MAPPER.readValue(members, new TypeReference<LinkedHashMap<String, Object>>() {});
    @Nullable Refusal cause = Wire.readFlag(in) ? read(in) : null;
    Refusal refusal =
        isWrapper && cause != null
            ? Refusal.around(type, reason, cause)
            : new Refusal(type, reason, cause);
    metadata.forEach(refusal::with);
    return refusal;
  }
}
